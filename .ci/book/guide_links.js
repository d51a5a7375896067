// Links each `nimatron guide TOPIC` of a page to the page of the topic.
for (const code of document.querySelectorAll("main :not(pre) > code")) {
  const topic = /^nimatron guide ([a-z-]+)$/.exec(code.textContent.replace(/\s+/g, " "))?.[1];
  if (topic && !code.closest("a")) {
    const link = document.createElement("a");
    link.href = `${topic}.html`;
    code.replaceWith(link);
    link.append(code);
  }
}
