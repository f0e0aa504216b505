import { authorize } from './access/authorize.ts';
import { explain } from './access/explain.ts';
import { listAccessible } from './access/list-accessible.ts';
import { reach } from './access/reach.ts';
import { authorizeMany } from './access/authorize-many.ts';
import * as agentsActivity from './agents/activity.ts';
import * as agentsCatalog from './agents/catalog.ts';
import * as agentsCreate from './agents/create.ts';
import * as agentsDelete from './agents/delete.ts';
import * as agentsGet from './agents/get.ts';
import * as agentsList from './agents/list.ts';
import * as agentsListMine from './agents/list-mine.ts';
import * as agentsResume from './agents/resume.ts';
import * as agentsStanding from './agents/standing.ts';
import * as agentsSuspend from './agents/suspend.ts';
import * as agentsUpdate from './agents/update.ts';
import { exportEvents } from './audit/export.ts';
import * as auditList from './audit/list.ts';
import * as auditVerify from './audit/verify.ts';
import { beginDevice } from './auth/begin-device.ts';
import { beginMfa } from './auth/begin-mfa.ts';
import { confirmMfa } from './auth/confirm-mfa.ts';
import { decideDevice } from './auth/decide-device.ts';
import { getDevice } from './auth/get-device.ts';
import { listSessions } from './auth/list-sessions.ts';
import { notices } from './auth/notices.ts';
import { pollDevice } from './auth/poll-device.ts';
import { reauthenticate } from './auth/reauthenticate.ts';
import { redeemCode } from './auth/redeem-code.ts';
import { revokeSession } from './auth/revoke-session.ts';
import { signIn } from './auth/sign-in.ts';
import { signOut } from './auth/sign-out.ts';
import { verifyMfa } from './auth/verify-mfa.ts';
import * as bindingsCreate from './bindings/create.ts';
import * as bindingsDelete from './bindings/delete.ts';
import * as bindingsList from './bindings/list.ts';
import { applyConfig } from './config/apply.ts';
import { exportConfig } from './config/export.ts';
import { planConfig } from './config/plan.ts';
import * as credentialsCreate from './credentials/create.ts';
import * as credentialsList from './credentials/list.ts';
import * as credentialsRevoke from './credentials/revoke.ts';
import * as delegationsActivity from './delegations/activity.ts';
import { approve } from './delegations/approve.ts';
import { assume } from './delegations/assume.ts';
import { decideConfirmation } from './delegations/decide-confirmation.ts';
import { deny } from './delegations/deny.ts';
import * as delegationsGet from './delegations/get.ts';
import { endDeputy } from './delegations/end-deputy.ts';
import { getConfirmation } from './delegations/get-confirmation.ts';
import { grant } from './delegations/grant.ts';
import * as delegationsList from './delegations/list.ts';
import { handoff } from './delegations/handoff.ts';
import { listDeputies } from './delegations/list-deputies.ts';
import { listConfirmations } from './delegations/list-confirmations.ts';
import * as delegationsListMine from './delegations/list-mine.ts';
import { preview } from './delegations/preview.ts';
import { request } from './delegations/request.ts';
import { requestConfirmation } from './delegations/request-confirmation.ts';
import * as delegationsRevoke from './delegations/revoke.ts';
import { setDeputy } from './delegations/set-deputy.ts';
import { watchConfirmations } from './delegations/watch-confirmations.ts';
import { addMember } from './groups/add-member.ts';
import * as groupsCreate from './groups/create.ts';
import * as groupsDelete from './groups/delete.ts';
import * as groupsList from './groups/list.ts';
import { listMembers } from './groups/list-members.ts';
import { removeMember } from './groups/remove-member.ts';
import * as identitiesCreate from './identities/create.ts';
import * as identitiesDelete from './identities/delete.ts';
import * as identitiesDisable from './identities/disable.ts';
import * as identitiesEnable from './identities/enable.ts';
import * as identitiesGet from './identities/get.ts';
import * as identitiesList from './identities/list.ts';
import * as identitiesReset from './identities/reset.ts';
import * as identitiesSetBoundary from './identities/set-boundary.ts';
import * as policiesCreate from './policies/create.ts';
import * as policiesDelete from './policies/delete.ts';
import * as policiesGet from './policies/get.ts';
import * as policiesList from './policies/list.ts';
import * as policiesUpdate from './policies/update.ts';
import * as policiesValidate from './policies/validate.ts';
import * as resourcesCreate from './resources/create.ts';
import * as resourcesDelete from './resources/delete.ts';
import * as resourcesGet from './resources/get.ts';
import * as resourcesUpdate from './resources/update.ts';
import * as rolesCreate from './roles/create.ts';
import * as rolesDelete from './roles/delete.ts';
import * as rolesGet from './roles/get.ts';
import * as rolesList from './roles/list.ts';
import * as rolesUpdate from './roles/update.ts';
import * as serviceAccountsCreate from './service-accounts/create.ts';
import { getCallerIdentity } from './sts/get-caller-identity.ts';
import * as tenantsCreate from './tenants/create.ts';
import * as tenantsGet from './tenants/get.ts';
import * as tenantsList from './tenants/list.ts';
import * as tenantsSetStatus from './tenants/set-status.ts';
import * as tenantsUpdate from './tenants/update.ts';

/** The registry: every surface of IAM is a loop over these. */
export const operations = [
  authorize,
  authorizeMany,
  listAccessible,
  explain,
  reach,
  signIn,
  beginMfa,
  confirmMfa,
  verifyMfa,
  reauthenticate,
  signOut,
  listSessions,
  revokeSession,
  redeemCode,
  notices,
  beginDevice,
  pollDevice,
  getDevice,
  decideDevice,
  getCallerIdentity,
  tenantsCreate.create,
  tenantsGet.get,
  tenantsList.list,
  tenantsUpdate.update,
  tenantsSetStatus.setStatus,
  identitiesCreate.create,
  identitiesGet.get,
  identitiesList.list,
  identitiesDisable.disable,
  identitiesEnable.enable,
  identitiesDelete.remove,
  identitiesSetBoundary.setBoundary,
  identitiesReset.reset,
  serviceAccountsCreate.create,
  credentialsCreate.create,
  credentialsList.list,
  credentialsRevoke.revoke,
  agentsCreate.create,
  agentsGet.get,
  agentsList.list,
  agentsListMine.listMine,
  agentsActivity.activity,
  agentsStanding.standing,
  agentsCatalog.catalog,
  agentsUpdate.update,
  agentsDelete.remove,
  agentsSuspend.suspend,
  agentsResume.resume,
  policiesCreate.create,
  policiesGet.get,
  policiesList.list,
  policiesUpdate.update,
  policiesDelete.remove,
  policiesValidate.validate,
  rolesCreate.create,
  rolesGet.get,
  rolesList.list,
  rolesUpdate.update,
  rolesDelete.remove,
  groupsCreate.create,
  groupsList.list,
  listMembers,
  groupsDelete.remove,
  addMember,
  removeMember,
  bindingsCreate.create,
  bindingsList.list,
  bindingsDelete.remove,
  resourcesCreate.create,
  resourcesGet.get,
  resourcesUpdate.update,
  resourcesDelete.remove,
  grant,
  request,
  approve,
  deny,
  delegationsRevoke.revoke,
  delegationsGet.get,
  delegationsList.list,
  delegationsListMine.listMine,
  delegationsActivity.activity,
  preview,
  assume,
  handoff,
  requestConfirmation,
  getConfirmation,
  listConfirmations,
  decideConfirmation,
  watchConfirmations,
  setDeputy,
  listDeputies,
  endDeputy,
  auditList.list,
  auditVerify.verify,
  exportEvents,
  exportConfig,
  planConfig,
  applyConfig,
] as const;

export type IamOperations = typeof operations;
export type IamOperationId = IamOperations[number]['id'];
