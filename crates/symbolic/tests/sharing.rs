//! Values that threads may share.

use zonewalk_symbolic::explorer::Explorer;
use zonewalk_symbolic::graph::ZoneGraph;
use zonewalk_symbolic::scratch::Scratch;

#[test]
fn threads_can_share_a_graph_and_own_a_scratch() {
    fn is_shared<T: Send + Sync>() {}
    fn is_owned<T: Send>() {}
    is_shared::<ZoneGraph<'_>>();
    is_owned::<Scratch>();
    is_owned::<Explorer<'_>>();
    is_owned::<Explorer<'_, i64>>();
}
