// Asking the server, and telling its user what went wrong.

const token = new URLSearchParams(location.search).get("token");

/** By GET, or by POST where there is a body. */
async function ask(path, body) {
  const options = { headers: { Authorization: `Bearer ${token}` }, cache: "no-store" };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = typeof body === "string" ? body : JSON.stringify(body);
  }
  let reply;
  try {
    reply = await fetch(`/api/${path}`, options);
  } catch {
    throw new Error("the server does not answer; was it ended?");
  }
  const text = await reply.text();
  if (path === "save" && reply.ok) return text;
  const data = JSON.parse(text);
  if (!reply.ok) throw new Error(data.error.message);
  return data;
}

function tell(text, isError = false) {
  const message = document.getElementById("message");
  message.textContent = text;
  message.className = isError ? "error" : "";
}

/** A handler that tells what goes wrong. */
const guarded = (action) => async (event) => {
  try {
    await action(event);
  } catch (error) {
    tell(error.message, true);
  }
};
