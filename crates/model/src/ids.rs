//! Numbers for the things of a model. None of them mixes with another.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the table of such things.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// Converts an index into the table of these items.
            pub fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("tables are bounded by the source's size"))
            }
        }
    )*};
}

ids! {
    /// A global variable, constant, clock or channel (or array or struct of them): index into `Model::globals`.
    GlobalId;
    /// A variable of a template: index into `Template::variables`.
    LocalId;
    /// A parameter of a template: index into `Template::params`.
    ParamId;
    /// A slot of an activation: selects, bound names, function parameters and locals.
    SlotId;
    /// Index into `Model::functions`.
    FunctionId;
    /// Index into `Model::templates`.
    TemplateId;
    /// Index into `Template::locations`.
    LocationId;
    /// Index into `Template::edges`.
    EdgeId;
    /// Index into `Model::scalar_sets`.
    ScalarSetId;
    /// A name on the system line, which may stand for many processes: index into `Model::process_sets`.
    ProcessSetId;
    /// A process: index into `System::processes`.
    ProcessId;
    /// A clock: index into `System::clocks`.
    ClockId;
    /// A channel: index into `System::channels`.
    ChannelId;
}
