/** Why ours answers otherwise than the official server, each with what both answer. */
interface Difference {
  why: string;
  /** Name of the exchange, our answer, theirs. */
  exchanges: readonly (readonly [name: string, ours: string, theirs: string])[];
}

export const differences: readonly Difference[] = [
  {
    why: 'Everything is on one page, so no cursor was ever given out (compute.md §11.2): one that comes is a mistake worth telling.',
    exchanges: [
      ['tools/list with a null cursor', '200 -32602 id=1', '200 -32603 id=1'],
      ['tools/list with an empty cursor', '200 -32602 id=1', '200 id=1 lists test_simple_text,test_error_handling,add'],
      ['tools/list with a cursor nobody gave', '200 -32602 id=1', '200 id=1 lists test_simple_text,test_error_handling,add'],
    ],
  },
  {
    why: 'Names of the language are never arguments (B116): it is an unknown one, where the official server drops it.',
    exchanges: [['a call with __proto__ among the arguments', '200 id=1 tool error', '200 id=1 answers {"sum":1}']],
  },
  {
    why: 'A tool that is not there is refused by the gate with the same kind of result as one that may not be called (iam.md §19.3), so neither tells of the other.',
    exchanges: [
      ['a call of no tool', '200 id=1 tool error', '200 -32602 id=1'],
      ['a call of constructor', '200 id=1 tool error', '200 -32602 id=1'],
      ['modern call of no tool', '200 id=1 complete tool error', '200 -32602 id=1'],
    ],
  },
  {
    why: 'A version later than 2026-07-28 is read by the rules of that one, which demand the other headers first.',
    exchanges: [['a version nobody speaks', '400 -32020 id=1', '400 -32602 id=1']],
  },
  {
    why: 'An id is echoed exactly as it came, whatever number it is, as soon as it can be read (compute.md §11.2); what cannot is no id, and is not said as another.',
    exchanges: [
      ['id a fraction', '200 id=1.5 {}', '400 -32600 id=1.5'],
      ['id 2^53+1', '400 -32600 id=null', '400 -32600 id=9007199254740992'],
      ['method a number', '400 -32600 id=1', '400 -32600 id=null'],
    ],
  },
  {
    why: 'What a call does not need is not looked at: members beside, and params without a member.',
    exchanges: [
      ['initialize without params', '200 id=1 speaks 2025-11-25', '200 -32603 id=1'],
      ['params null', '200 id=1 {}', '400 -32600 id=1'],
      ['params a list', '200 id=1 lists test_simple_text,test_error_handling,add', '400 -32600 id=1'],
      ['a member more', '200 id=1 {}', '400 -32600 id=1'],
    ],
  },
  {
    why: 'The server never asks anything and has nothing to announce (B168), so answers of a client and subscriptions have no place.',
    exchanges: [
      ['a response of the client', '400 -32600 id=1', '202'],
      ['modern subscriptions/listen for nothing', '404 -32601 id=1', '200 other'],
    ],
  },
  {
    why: 'A version nobody speaks is said by its code and what is spoken, to whoever named it (compute.md §11.2).',
    exchanges: [['a notification in a version nobody speaks', '400 -32022 id=null', '400 -32000 id=null']],
  },
  {
    why: 'Batches are refused, whatever they contain [seed].',
    exchanges: [
      ['a batch', '400 -32600 id=null', '200 id=1 {}'],
      ['a batch of notifications', '400 -32600 id=null', '202'],
    ],
  },
  {
    why: 'Bytes that two readers could read as two messages are refused by the one reader of all surfaces (compute.md §2).',
    exchanges: [
      ['a member twice', '400 -32700 id=null', '200 id=2 {}'],
      ['a byte order mark', '400 -32700 id=null', '200 id=1 {}'],
      ['bytes that are no UTF-8', '400 -32700 id=null', '200 id="�" {}'],
      ['half a surrogate pair', '400 -32700 id=null', '200 id="\\ud800" {}'],
      ['deep nesting', '400 -32600 id=null', '200 id=1 {}'],
    ],
  },
  {
    why: 'The code for a body that is no JSON is -32700 here too (B144).',
    exchanges: [
      ['another content type', '415 -32700 id=null', '415 -32000 id=null'],
      ['no content type', '415 -32700 id=null', '415 -32000 id=null'],
    ],
  },
  {
    why: 'Answers are JSON alone, so what a client would also take does not matter (compute.md §11.2).',
    exchanges: [
      ['accept json only', '200 id=1 {}', '406 -32000 id=null'],
      ['accept event-stream only', '200 id=1 {}', '406 -32000 id=null'],
      ['accept anything', '200 id=1 {}', '406 -32000 id=null'],
      ['accept html', '200 id=1 {}', '406 -32000 id=null'],
      ['no accept', '200 id=1 {}', '406 -32000 id=null'],
    ],
  },
  {
    why: '405 says all there is to say with its Allow; it has no message, for there was none.',
    exchanges: [
      ['GET', '405', '405 -32000 id=null'],
      ['DELETE', '405', '405 -32000 id=null'],
      ['PUT', '405', '405 -32000 id=null'],
    ],
  },
];
