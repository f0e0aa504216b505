import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function logged(format: 'json' | 'text', write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  write(createLog({ level: 'info', format }, stream as unknown as NodeJS.WriteStream));
  return text;
}

test.each(['json', 'text'] as const)('product§8 a token, key or password never reaches a %s log', (format) => {
  const text = logged(format, (log) =>
    log.info({ token: 'biam_key_x', inner: { password: 'pass-word', secret: 'se-cret' }, authorization: 'Bearer y', requestId: 'r1' }, 'request'),
  );
  for (const secret of ['biam_key_x', 'pass-word', 'se-cret', 'Bearer y']) expect(text).not.toContain(secret);
  expect(text).toContain('r1');
});

test('product§8 JSON lines carry level, time and message', () => {
  expect(JSON.parse(logged('json', (log) => log.warn({ requestId: 'r1' }, 'request')))).toMatchObject({
    level: 40,
    msg: 'request',
    requestId: 'r1',
    time: expect.any(Number),
  });
});
