/** What a client can tell of an answer: enough to see that two servers mean the same, nothing of their words. */
export type Summary = string;

type Message = { id?: unknown; result?: Record<string, any>; error?: { code: number } };

/** `200 result id=1 …`, `400 -32600 id=null`, `202`. Of a stream its one message counts. */
export async function summaryOf(response: Response): Promise<Summary> {
  const text = await firstMessage(response);
  let message: Message;
  try {
    message = JSON.parse(text) as Message;
  } catch {
    return `${response.status}`;
  }
  const id = message.id === undefined ? '' : ` id=${JSON.stringify(message.id)}`;
  if (message.error) return `${response.status} ${message.error.code}${id}`;
  return message.result ? `${response.status}${id} ${resultOf(message.result)}` : `${response.status} other`;
}

function resultOf(result: Record<string, any>): string {
  if (typeof result.protocolVersion === 'string') return `speaks ${result.protocolVersion}`;
  if (Array.isArray(result.supportedVersions))
    return `${kindOf(result)}discovers ${(result.supportedVersions as string[]).includes('2026-07-28') ? 'modern' : 'no modern'}`;
  if (Array.isArray(result.tools))
    return `${kindOf(result)}lists ${(result.tools as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => !name.includes('input_required'))
      .join(',')}`;
  if (Array.isArray(result.content))
    return `${kindOf(result)}${result.isError === true ? 'tool error' : `answers ${JSON.stringify(result.structuredContent)}`}`;
  return `${kindOf(result)}{${Object.keys(result)
    .filter((name) => name !== '_meta' && name !== 'resultType')
    .join(',')}}`;
}

const kindOf = ({ resultType }: Record<string, any>): string => (resultType === undefined ? '' : `${String(resultType)} `);

/** A stream that stays open is one without a message. */
async function firstMessage(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body!.getReader();
  let text = '';
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 500, undefined));
  for (;;) {
    const read = await Promise.race([reader.read(), late]);
    if (read?.value) text += new TextDecoder().decode(read.value);
    const data = /^data: ?(\{.*)$/m.exec(text)?.[1];
    if (data !== undefined || read === undefined || read.done) {
      reader.cancel().catch(() => {});
      return data ?? '';
    }
  }
}
