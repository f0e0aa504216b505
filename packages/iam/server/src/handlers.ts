import type { IamOperations } from '@better-iam/contract';
import { authorize } from './access/authorize.ts';
import { explain } from './access/explain.ts';
import { accessReach } from './access/reach.ts';
import { authorizeMany } from './access/authorize-many.ts';
import { listAccessible } from './access/list-accessible.ts';
import { agentActivity } from './agents/activity.ts';
import { agentCatalog } from './agents/catalog.ts';
import { createAgent } from './agents/create.ts';
import { deleteAgent } from './agents/delete.ts';
import { getAgent } from './agents/get.ts';
import { listAgents } from './agents/list.ts';
import { listMyAgents } from './agents/list-mine.ts';
import { resumeAgent } from './agents/resume.ts';
import { agentStanding } from './agents/standing.ts';
import { suspendAgent } from './agents/suspend.ts';
import { updateAgent } from './agents/update.ts';
import { exportAudit } from './audit/export.ts';
import { listAudit } from './audit/list.ts';
import { verifyAudit } from './audit/verify.ts';
import { listSessions } from './auth/list-sessions.ts';
import { reauthenticate } from './auth/reauthenticate.ts';
import { revokeSession } from './auth/revoke-session.ts';
import { signIn } from './auth/sign-in.ts';
import { signOut } from './auth/sign-out.ts';
import { createBinding } from './bindings/create.ts';
import { deleteBinding } from './bindings/delete.ts';
import { listBindings } from './bindings/list.ts';
import { decideConfirmation } from './confirmations/decide.ts';
import { getConfirmation } from './confirmations/get.ts';
import { listConfirmations } from './confirmations/list.ts';
import { admitFiling, requestConfirmation } from './confirmations/request.ts';
import type { Signals } from './confirmations/signals.ts';
import { watchConfirmations } from './confirmations/watch.ts';
import { applyConfig } from './config/apply.ts';
import { exportConfig } from './config/export.ts';
import { planConfig } from './config/plan.ts';
import { createCredential } from './credentials/create.ts';
import { listCredentials } from './credentials/list.ts';
import { revokeCredential } from './credentials/revoke.ts';
import { delegationActivity } from './delegations/activity.ts';
import { approve } from './delegations/approve.ts';
import { assume } from './delegations/assume.ts';
import { deny } from './delegations/deny.ts';
import { getDelegation } from './delegations/get.ts';
import { grant } from './delegations/grant.ts';
import { handOff } from './delegations/handoff.ts';
import { listDelegations } from './delegations/list.ts';
import { listMyDelegations } from './delegations/list-mine.ts';
import { previewDelegation } from './delegations/preview.ts';
import { requestDelegation } from './delegations/request.ts';
import { revoke } from './delegations/revoke.ts';
import { beginDevice } from './device/begin.ts';
import { decideDevice } from './device/decide.ts';
import { getDevice } from './device/get.ts';
import { pollDevice } from './device/poll.ts';
import { addMember } from './groups/add-member.ts';
import { createGroup } from './groups/create.ts';
import { deleteGroup } from './groups/delete.ts';
import { listGroups } from './groups/list.ts';
import { listMembers } from './groups/list-members.ts';
import { removeMember } from './groups/remove-member.ts';
import { endDeputy } from './deputies/end.ts';
import { listDeputies } from './deputies/list.ts';
import { setDeputy } from './deputies/set.ts';
import { createPerson } from './identities/create.ts';
import { deleteIdentity } from './identities/delete.ts';
import { disableIdentity } from './identities/disable.ts';
import { enableIdentity } from './identities/enable.ts';
import { getIdentity } from './identities/get.ts';
import { listIdentities } from './identities/list.ts';
import { setBoundary } from './identities/set-boundary.ts';
import { limits } from './limits.ts';
import { notices } from './lock-out/notices.ts';
import { redeemCode } from './lock-out/redeem.ts';
import { resetIdentity } from './lock-out/reset.ts';
import { beginMfa } from './mfa/begin.ts';
import { confirmMfa } from './mfa/confirm.ts';
import { verifyMfa } from './mfa/verify.ts';
import { createPolicy } from './policies/create.ts';
import { deletePolicy } from './policies/delete.ts';
import { getPolicy } from './policies/get.ts';
import { listPolicies } from './policies/list.ts';
import { updatePolicy } from './policies/update.ts';
import { validatePolicy } from './policies/validate.ts';
import { createResource } from './resources/create.ts';
import { deleteResource } from './resources/delete.ts';
import { getResource } from './resources/get.ts';
import { updateResource } from './resources/update.ts';
import { createRole } from './roles/create.ts';
import { deleteRole } from './roles/delete.ts';
import { getRole } from './roles/get.ts';
import { listRoles } from './roles/list.ts';
import { updateRole } from './roles/update.ts';
import {
  type AnyHandler,
  agentActs,
  agentRequests,
  freely,
  ownerChanges,
  personActs,
  personChanges,
  personChangesRecently,
  actsAsOneself,
  anyoneChanges,
  delegateChanges,
  personReads,
  personTypes,
  publicly,
  read,
  readAbout,
  readAsOneself,
  readSeldom,
} from './rule.ts';
import { createServiceAccount } from './service-accounts/create.ts';
import { getCallerIdentity } from './sts/get-caller-identity.ts';
import { createTenant } from './tenants/create.ts';
import { getTenant } from './tenants/get.ts';
import { listTenants } from './tenants/list.ts';
import { setStatus } from './tenants/set-status.ts';
import { updateTenantRecord } from './tenants/update.ts';

/** One handler for each operation, no more and no fewer. */
export type Handlers = { readonly [Op in IamOperations[number] as Op['id']]: AnyHandler<Op> };

/** Who may call what, and what then happens: the whole of it on one page. */
const handlers: Omit<Handlers, 'delegations.watchConfirmations'> = {
  authorize: freely(authorize),
  authorizeMany: freely(authorizeMany),
  listAccessible: freely(listAccessible),
  'access.explain': freely(explain),
  'access.reach': readAsOneself(accessReach),
  'auth.signIn': publicly(signIn),
  'auth.beginMfa': freely(beginMfa),
  'auth.confirmMfa': freely(confirmMfa),
  'auth.verifyMfa': publicly(verifyMfa),
  'auth.reauthenticate': freely(reauthenticate),
  'auth.signOut': personChanges(signOut),
  'auth.listSessions': personReads(listSessions),
  'auth.revokeSession': personChanges(revokeSession),
  'auth.redeemCode': publicly(redeemCode),
  'auth.notices': personReads(notices),
  'auth.beginDevice': publicly(beginDevice),
  'auth.pollDevice': publicly(pollDevice),
  'auth.getDevice': personTypes(limits.signInsPerWindow, 'device-code')(getDevice),
  'auth.decideDevice': personTypes(limits.signInsPerWindow, 'device-code', { isRecent: true })(decideDevice),
  'sts.getCallerIdentity': read(getCallerIdentity),
  'tenants.create': ownerChanges(createTenant),
  'tenants.get': readAbout(getTenant),
  'tenants.list': read(listTenants),
  'tenants.update': ownerChanges(updateTenantRecord),
  'tenants.setStatus': ownerChanges(setStatus),
  'identities.create': ownerChanges(createPerson),
  'identities.get': read(getIdentity),
  'identities.list': read(listIdentities),
  'identities.disable': ownerChanges(disableIdentity),
  'identities.enable': ownerChanges(enableIdentity),
  'identities.delete': ownerChanges(deleteIdentity),
  'identities.setBoundary': ownerChanges(setBoundary),
  'identities.reset': ownerChanges(resetIdentity),
  'serviceAccounts.create': ownerChanges(createServiceAccount),
  'credentials.create': personChangesRecently(createCredential),
  'credentials.list': read(listCredentials),
  'credentials.revoke': personChanges(revokeCredential),
  'agents.create': ownerChanges(createAgent),
  'agents.get': read(getAgent),
  'agents.list': read(listAgents),
  'agents.listMine': personReads(listMyAgents),
  'agents.activity': readAsOneself(agentActivity),
  'agents.standing': read(agentStanding),
  'agents.catalog': personReads(agentCatalog),
  'agents.update': ownerChanges(updateAgent),
  'agents.delete': ownerChanges(deleteAgent),
  'agents.suspend': personChanges(suspendAgent),
  'agents.resume': personChanges(resumeAgent),
  'policies.create': ownerChanges(createPolicy),
  'policies.get': read(getPolicy),
  'policies.list': read(listPolicies),
  'policies.update': ownerChanges(updatePolicy),
  'policies.delete': ownerChanges(deletePolicy),
  'policies.validate': read(validatePolicy),
  'roles.create': ownerChanges(createRole),
  'roles.get': read(getRole),
  'roles.list': read(listRoles),
  'roles.update': ownerChanges(updateRole),
  'roles.delete': ownerChanges(deleteRole),
  'groups.create': ownerChanges(createGroup),
  'groups.list': read(listGroups),
  'groups.listMembers': read(listMembers),
  'groups.delete': ownerChanges(deleteGroup),
  'groups.addMember': ownerChanges(addMember),
  'groups.removeMember': ownerChanges(removeMember),
  'bindings.create': ownerChanges(createBinding),
  'bindings.list': read(listBindings),
  'bindings.delete': ownerChanges(deleteBinding),
  'resources.create': actsAsOneself(createResource),
  'resources.get': read(getResource),
  'resources.update': actsAsOneself(updateResource),
  'resources.delete': actsAsOneself(deleteResource),
  'delegations.grant': personChangesRecently(grant),
  'delegations.request': agentRequests(limits.delegationRequestsPerWindow)(requestDelegation),
  'delegations.approve': personChangesRecently(approve),
  'delegations.deny': personChanges(deny),
  'delegations.revoke': anyoneChanges(revoke),
  'delegations.get': read(getDelegation),
  'delegations.list': readAsOneself(listDelegations),
  'delegations.listMine': readAsOneself(listMyDelegations),
  'delegations.activity': readAsOneself(delegationActivity),
  'delegations.preview': personReads(previewDelegation),
  'delegations.assume': agentActs(assume),
  'delegations.handoff': delegateChanges(handOff),
  'delegations.requestConfirmation': freely(requestConfirmation, { admit: admitFiling }),
  'delegations.getConfirmation': read(getConfirmation),
  'delegations.listConfirmations': read(listConfirmations),
  'delegations.decideConfirmation': personActs(decideConfirmation),
  'delegations.setDeputy': personChangesRecently(setDeputy),
  'delegations.listDeputies': personReads(listDeputies),
  'delegations.endDeputy': personChanges(endDeputy),
  'audit.list': read(listAudit),
  'audit.verify': readSeldom(limits.auditVerifiesPerWindow)(verifyAudit),
  'audit.export': read(exportAudit),
  'config.export': read(exportConfig),
  'config.plan': read(planConfig),
  'config.apply': ownerChanges(applyConfig),
};

/** With what wakes a stream, which is each instance's own. */
export const createHandlers = (signals: Signals): Handlers => ({
  ...handlers,
  'delegations.watchConfirmations': freely((plane, token, _input, transport) => watchConfirmations(plane, signals, token, transport)),
});
