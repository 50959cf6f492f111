// What the page that checks dice says of each line of tests/data/verify.jsonl, in the words of fair.py. It calls the
// functions of the page's script, in a browser or in Node.

function saidByPage(file) {
  const lines = file.trim().split("\n").map(line => JSON.parse(line));
  return lines.map(line => {
    const [number, at, gone, inserted] = line.log === undefined ? line : [lines.indexOf(line), 0, 0, ""];
    const {log} = lines[number], text = log.slice(0, at) + inserted + log.slice(at + gone);
    return said(checkBytes(Uint8Array.from(text, byte => byte.charCodeAt(0))));
  });
}

function said({log, wrong, unreadable}) {
  if (unreadable) return [translate(unreadable)];
  if (wrong.length) return ["This log has problems:", ...problemList(wrong).map(problem => `- ${problem}`)];
  const {commitment, hex, log: hash, message} = chatValues(log), last = hash === "–" ? "none" : hash.slice(0, 8);
  const compare = `Compare with the chat: commitment ${commitment} (in hex ${hex}), log ${last}, message ${message}.`;
  return [...listResults(log).map(translate), compare];
}
