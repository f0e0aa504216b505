import { pendingResult, type Hold } from '../../approval/hold.ts';
import { callerKey } from '../../caller.ts';
import { isPlain, memberOf, RpcError, rpcCode } from '../../json-rpc.ts';
import { limits } from '../../limits.ts';
import { checkedCall, runCall } from '../../tools/call.ts';
import type { Exchange } from '../revision.ts';
import type { Envelope } from './envelope.ts';
import { openState, type RequestState, sealState, type StateBinding } from './request-state.ts';

/** The one question of a held call. */
const QUESTION = 'approval';

/** A result without what the revision stamps on every result. */
export type Unstamped = Record<string, unknown> & { resultType: 'complete' | 'input_required' };

const complete = (result: object): Unstamped => ({ resultType: 'complete', ...result });

/**
 * A call in this revision (compute.md §11.3): a held action is put to the person by URL where the client can show one, and the client comes back
 * with the state it was given. What the client says of the person is never a decision: it only says whether to look.
 */
export async function callTool(exchange: Exchange, envelope: Envelope): Promise<Unstamped> {
  const { core, message, origin, caller } = exchange;
  const { params } = message;
  const { args } = checkedCall(core.calls, memberOf(params, 'name'), memberOf(params, 'arguments'));
  const name = memberOf(params, 'name') as string;
  const call = { name, args, origin, caller };
  const asks = core.stateSecret !== undefined && canShowUrl(envelope);
  const given = memberOf(params, 'requestState');
  if (!asks || core.stateSecret === undefined) {
    if (given !== undefined) throw new RpcError(rpcCode.invalidParams, 'params.requestState was not given out to this client. Make the call without it.');
    return complete((await runCall(core.calls, call)).result);
  }
  const binding: StateBinding = { secret: core.stateSecret, caller: await callerKey(origin, caller), tool: name, args };
  const ask = (state: RequestState) => asked(state, binding, core.calls.clock.now());
  if (given === undefined) {
    const { result, hold } = await runCall(core.calls, { ...call, asksElsewhere: true });
    return hold ? await ask({ hold, round: 1 }) : complete(result);
  }
  const state = await openState(given, binding, core.calls.clock.now());
  const word = answerOf(memberOf(params, 'inputResponses'));
  if (word === 'none') return ask(state);
  if (word !== 'accept') return complete(pendingResult(state.hold));
  const { result, hold } = await runCall(core.calls, { ...call, resumed: state.hold });
  return hold ? ask({ hold: { ...state.hold, ...hold }, round: state.round + 1 }) : complete(result);
}

function canShowUrl({ clientCapabilities }: Envelope): boolean {
  return isPlain(memberOf(memberOf(clientCapabilities, 'elicitation'), 'url'));
}

/** The person's way to the decision, or, once asked often enough or without an address, the result of the older revisions. */
async function asked(state: RequestState, binding: StateBinding, now: number): Promise<Unstamped> {
  const { hold, round } = state;
  if (hold.approvalUrl === undefined || round > limits.asksMax) return complete(pendingResult(hold));
  return {
    resultType: 'input_required',
    inputRequests: { [QUESTION]: { method: 'elicitation/create', params: { mode: 'url', message: messageOf(hold), url: hold.approvalUrl } } },
    requestState: await sealState(state, binding, now),
  };
}

const messageOf = ({ summary }: Hold): string =>
  summary === undefined ? 'A person must approve this action.' : `A person must approve this action: ${summary}`;

/** `none`: the question was not answered, so it is asked again. Throws for an answer of no form. */
function answerOf(responses: unknown): 'accept' | 'decline' | 'cancel' | 'none' {
  if (responses !== undefined && !isPlain(responses)) throw badAnswer();
  const response = memberOf(responses, QUESTION);
  if (response === undefined) return 'none';
  const action = memberOf(response, 'action');
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') throw badAnswer();
  return action;
}

const badAnswer = (): RpcError => new RpcError(rpcCode.invalidParams, `params.inputResponses.${QUESTION} must be the answer to an elicitation.`);
