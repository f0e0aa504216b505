/**
 * Replaces the data of every event of an event stream; other fields and comments stay as they are. undefined as soon as
 * `map` answers undefined. An event that no blank line ends is dropped, as every reader drops it.
 */
export async function mapEvents(stream: string, map: (data: string) => Promise<string | undefined>): Promise<string | undefined> {
  const out: string[] = [];
  let event: string[] = [];
  for (const line of stream.split(/\r\n|\n|\r/)) {
    if (line !== '') {
      event.push(line);
      continue;
    }
    if (event.length === 0) continue;
    const mapped = await mapEvent(event, map);
    if (mapped === undefined) return undefined;
    out.push(mapped);
    event = [];
  }
  return out.join('');
}

async function mapEvent(lines: readonly string[], map: (data: string) => Promise<string | undefined>): Promise<string | undefined> {
  const rest: string[] = [];
  const data: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field === 'data') data.push(colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, ''));
    else rest.push(line);
  }
  const text = data.join('\n');
  // An event without data carries no message: servers open a stream with one.
  const mapped = text === '' ? '' : await map(text);
  if (mapped === undefined) return undefined;
  return [...rest, ...(data.length === 0 ? [] : [`data: ${mapped}`]), '', ''].join('\n');
}
