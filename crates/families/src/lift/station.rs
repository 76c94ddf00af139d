//! A lift with its buttons: the start, in which it finds its address, and the work afterwards.

use crate::model::{Template, at};

const DECLARATION: &str = "
    id_t own = 1;               // address
    id_t total = 1;             // the highest address, as far as it is known
    mode_t mode = STANDBY;
    id_t wanting = 1;           // lifts that have still to agree to a movement

    void put(id_t address, mode_t text)
    {
        message.address = address;
        message.mode = text;
    }

    // The number of lifts is the address of the last one.
    void press(mode_t direction)
    {
        mode = direction;
        wanting = total;
    }

    void release()
    {
        mode = STANDBY;
        wanting = 1;
    }

    void fail(id_t address)
    {
        own = address;
        total = 1;
        mode = STOP;
    }
";

/// A lift that opens its relay late may still be joined to those that answer to its first message.
pub(super) fn lift(is_late: bool) -> Template {
    let mut l = Template::new("Lift", "const id_t id");
    l.declare(DECLARATION);
    l.spacing = (340.0, 204.0);
    let initial = l.add(at(0.0, 0.0, "initial"));
    let referring = l.add(at(1.0, 0.0, "referring"));
    let announcing = l.add(at(2.0, 0.0, "announcing"));
    let parting = at(3.0, 0.0, "parting");
    let parting = l.add(if is_late { parting } else { parting.committed() });
    let leading = l.add(at(4.0, 0.0, "leading"));
    let synchronising = l.add(at(4.0, 1.0, "synchronising"));
    let concluding = l.add(at(4.0, 2.0, "concluding"));
    let joining = l.add(at(0.0, 1.0, "joining"));
    let answering = l.add(at(0.0, 2.0, "answering"));
    let joined = l.add(at(1.0, 2.0, "joined"));
    let confused = l.add(at(2.0, 1.0, "confused"));
    let operating = l.add(at(2.0, 3.0, "operating"));
    let moving = l.add(at(4.0, 3.0, "moving"));
    let passing = l.add(at(0.0, 3.0, "passing"));
    let pressed = l.add(at(2.0, 5.0, "pressed"));
    let following = l.add(at(0.0, 5.0, "following"));
    let repeating = l.add(at(1.0, 4.0, "repeating"));
    let agreeing = l.add(at(3.0, 4.0, "agreeing"));
    let lifting = l.add(at(4.0, 5.0, "lifting"));

    // The lift at which the start is asked for has address 1, and knows when its message has gone around.
    l.edge(initial, referring)
        .guard("id <= STARTERS")
        .sync("setref[id]!");
    l.edge(referring, announcing).sync("close_relay[id]!");
    l.edge(announcing, parting)
        .sync("send[id]!")
        .update("put(1, STARTUP)");
    l.edge(parting, leading).sync("open_relay[id]!");
    l.edge(leading, synchronising)
        .guard("message.mode == STARTUP")
        .sync("receive[id]!")
        .update("total = message.address");
    l.edge(synchronising, concluding)
        .sync("send[id]!")
        .update("put(1, SYNC)");
    l.edge(concluding, operating)
        .sync("send[id]!")
        .update("put(1, STANDBY)");

    // The others take the next address and say so.
    l.edge(initial, joining)
        .guard("message.mode == STARTUP")
        .sync("receive[id]!")
        .update("own = next(message.address)")
        .update("total = own");
    l.edge(joining, answering).sync("close_relay[id]!");
    l.edge(answering, joined)
        .sync("send[id]!")
        .update("put(own, STARTUP)");
    l.edge(joined, joined)
        .guard("message.mode == STARTUP")
        .sync("receive[id]!")
        .update("total = message.address");
    l.edge(joined, operating)
        .guard("message.mode == SYNC")
        .sync("receive[id]!");

    for location in [initial, leading] {
        l.edge(location, confused)
            .guard("message.mode != STARTUP")
            .sync("receive[id]!")
            .update("fail(1)");
    }
    l.edge(joined, confused)
        .guard("message.mode != STARTUP && message.mode != SYNC")
        .sync("receive[id]!")
        .update("fail(own)");
    l.edge(confused, operating).sync("protocol_error[id]!");

    // No button pressed: do as the others say, and pass it on when it is one's turn.
    l.edge(operating, moving)
        .guard("message.mode == SYNC")
        .sync("receive[id]!");
    l.edge(moving, operating).sync("move[id][mode]!");
    l.edge(operating, passing)
        .guard("message.mode != SYNC && message.address == previous(own)")
        .sync("receive[id]!")
        .update("mode = message.mode");
    l.edge(passing, operating)
        .sync("send[id]!")
        .update("put(own, mode)");
    l.edge(operating, operating)
        .guard("message.mode != SYNC && message.address != previous(own)")
        .sync("receive[id]!")
        .update("mode = message.mode");
    for (button, direction) in [("up", "UP"), ("down", "DOWN")] {
        l.edge(operating, pressed)
            .guard("mode == STANDBY")
            .sync(format!("{button}[id]!"))
            .update(format!("press({direction})"));
    }

    // A button pressed: when all others have said that they will follow, all move.
    l.edge(pressed, operating)
        .sync("released[id]!")
        .update("release()");
    l.edge(pressed, following)
        .guard("message.mode == SYNC")
        .sync("receive[id]!");
    l.edge(following, pressed).sync("move[id][mode]!");
    l.edge(pressed, agreeing)
        .guard("message.mode == mode && message.address == previous(own) && wanting == 2")
        .sync("receive[id]!")
        .update("wanting = total");
    l.edge(agreeing, lifting)
        .sync("send[id]!")
        .update("put(own, SYNC)");
    l.edge(lifting, repeating).sync("move[id][mode]!");
    l.edge(pressed, repeating)
        .guard("message.mode != SYNC && message.address == previous(own) && !(message.mode == mode && wanting == 2)")
        .sync("receive[id]!")
        .update("wanting = total");
    l.edge(repeating, pressed)
        .sync("send[id]!")
        .update("put(own, mode)");
    l.edge(pressed, pressed)
        .guard("message.mode == mode && message.address != previous(own)")
        .sync("receive[id]!")
        .update("wanting = previous(wanting)");
    l.edge(pressed, pressed)
        .guard("message.mode != SYNC && message.mode != mode && message.address != previous(own)")
        .sync("receive[id]!");
    l
}
