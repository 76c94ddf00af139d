//! Othello, or Reversi: two players put pieces on a board and turn over those of the other that they enclose.
//!
//! After the mCRL2 specification of the game, by J. F. Groote, that T. Engels et al., "Search algorithms for automated validation",
//! Journal of Logic and Algebraic Programming 78, 2009, search for a draw. The specification has been changed since: it now tells the
//! outcome after both players have passed. Ours tells it as soon as neither player can move, as the lengths that the paper prints demand: on
//! a board of four by four a game has twelve moves, and the draw is the thirteenth action.

use crate::Family;
use crate::error::Error;
use crate::model::{Expected, Model, Template, at};
use crate::params::{ParamSpec, Params};

pub(crate) const FAMILY: Family = Family {
    name: "othello",
    summary: "the game of Othello, until neither player can move",
    params: &[
        ParamSpec::number("n", 4, (2, 20), "columns of the board"),
        ParamSpec::number("rows", 0, (0, 20), "rows of the board; 0: as many as columns"),
    ],
    build,
};

fn build(params: &Params) -> Result<Model, Error> {
    let [n, rows] = ["n", "rows"].map(|name| params.get(name));
    let rows = if rows == 0 { n } else { rows };
    if rows < 2 {
        return Err(Error::conflict(format!(
            "`rows`, {rows}, must be 2 or more: the first four pieces make a square"
        )));
    }

    let mut model = Model::new("Othello");
    model.declare(declaration(n, rows));
    model.templates.push(game());
    model.system = "system Game;".to_owned();

    let is_small = n <= 4 && rows <= 4;
    model.query(
        "E<> Game.draw",
        match (n, rows) {
            (3, 3) => Expected::NotSatisfied,
            (6, 6) => Expected::Satisfied,
            _ if is_small => Expected::Satisfied,
            _ => Expected::Open,
        },
        "Neither player can move, and both have the same number of pieces: the paper's goal, action Draw.",
    );
    model.query(
        "E<> Game.red_wins && forall (x : column_t) forall (y : row_t) board[y][x] != WHITE",
        if is_small {
            Expected::satisfied_if(n > 2 && rows > 2)
        } else {
            Expected::Open
        },
        "White has no piece left.",
    );
    model.query("A[] not deadlock", Expected::NotSatisfied, "A game ends.");
    Ok(model)
}

fn declaration(columns: i64, rows: i64) -> String {
    let board = initial_board(columns, rows);
    format!(
        "
        const int COLUMNS = {columns};
        const int ROWS = {rows};
        typedef int[0, COLUMNS - 1] column_t;
        typedef int[0, ROWS - 1] row_t;

        const int NONE = 0;
        const int RED = 1;
        const int WHITE = 2;
        typedef int[NONE, WHITE] piece_t;
        typedef int[RED, WHITE] player_t;

        broadcast chan move[player_t][column_t][row_t], pass[player_t];

        piece_t board[row_t][column_t] =
        {{
{board}
        }};
        player_t player = RED;              // whose turn it is

        player_t opponent(player_t p)
        {{
            return RED + WHITE - p;
        }}

        bool is_on_board(int x, int y)
        {{
            return 0 <= x && x < COLUMNS && 0 <= y && y < ROWS;
        }}

        // How many pieces of the opponent lie between a place and a piece of p, in one direction.
        int enclosed(player_t p, column_t x, row_t y, int dx, int dy)
        {{
            int count = 0;
            int i = x + dx;
            int j = y + dy;
            while (is_on_board(i, j) && board[j][i] == opponent(p))
            {{
                count++;
                i += dx;
                j += dy;
            }}
            return is_on_board(i, j) && board[j][i] == p ? count : 0;
        }}

        bool can_put(player_t p, column_t x, row_t y)
        {{
            if (board[y][x] != NONE)
                return false;
            for (dx : int[-1, 1])
                for (dy : int[-1, 1])
                    if (enclosed(p, x, y, dx, dy) > 0)
                        return true;
            return false;
        }}

        bool can_move(player_t p)
        {{
            for (x : column_t)
                for (y : row_t)
                    if (can_put(p, x, y))
                        return true;
            return false;
        }}

        bool is_over()
        {{
            return !can_move(player) && !can_move(opponent(player));
        }}

        void put(column_t x, row_t y)
        {{
            for (dx : int[-1, 1])
                for (dy : int[-1, 1])
                {{
                    int count = enclosed(player, x, y, dx, dy);
                    int k;
                    for (k = 1; k <= count; k++)
                        board[y + k * dy][x + k * dx] = player;
                }}
            board[y][x] = player;
            player = opponent(player);
        }}

        // How many more pieces red has.
        int lead()
        {{
            int result = 0;
            for (x : column_t)
                for (y : row_t)
                    result += (board[y][x] == RED) - (board[y][x] == WHITE);
            return result;
        }}
        "
    )
}

/// Four pieces in the middle, as an initialiser.
fn initial_board(columns: i64, rows: i64) -> String {
    let [left, above] = [columns, rows].map(|size| (size - 1) / 2);
    let piece = |x: i64, y: i64| match (x - left, y - above) {
        (0, 0) | (1, 1) => "RED",
        (0, 1) | (1, 0) => "WHITE",
        _ => "NONE",
    };
    let row = |y: i64| {
        let pieces: Vec<_> = (0..columns).map(|x| piece(x, y)).collect();
        format!("            {{ {} }}", pieces.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(",\n")
}

fn game() -> Template {
    let mut g = Template::new("Game", "");
    g.spacing = (340.0, 204.0);
    let playing = g.add(at(0.0, 0.0, "playing"));
    let draw = g.add(at(1.0, 1.0, "draw"));
    let red_wins = g.add(at(-1.0, 1.0, "red_wins"));
    let white_wins = g.add(at(0.0, 1.0, "white_wins"));
    g.edge(playing, playing)
        .select("x : column_t, y : row_t")
        .guard("can_put(player, x, y)")
        .sync("move[player][x][y]!")
        .update("put(x, y)");
    g.edge(playing, playing)
        .guard("!can_move(player) && can_move(opponent(player))")
        .sync("pass[player]!")
        .update("player = opponent(player)");
    for (target, lead) in [(draw, "=="), (red_wins, ">"), (white_wins, "<")] {
        g.edge(playing, target)
            .guard(format!("is_over() && lead() {lead} 0"));
    }
    g
}
