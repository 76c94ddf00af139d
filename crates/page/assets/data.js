// The document of the page. A live page brings its own source of documents: anything with a method `load`.

/** The document that is packed into the page: zlib in base 64, unpacked by the browser itself. */
const packedSource = {
  async load() {
    const text = document.getElementById("data").textContent.trim();
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  },
};
