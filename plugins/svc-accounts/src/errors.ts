/** Every error that svc-accounts raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/** 400: the link was used, is over or replaced, or the account has changed since. Fix: ask for a new one. */
export const InvalidToken = expectedError(
  'SVC_ACCOUNTS_TOKEN',
  'the link is not valid any more: it was used, it is over, or a newer one was sent',
  400
)

/** 400: what was given is no mail address. Fix: write `name@example.org`. */
export const InvalidAddress = expectedError(
  'SVC_ACCOUNTS_ADDRESS',
  'this is no mail address; expected name@example.org',
  400
)

/** 400: the password is not that of the sign-up. Fix: type it again, or sign up again. */
export const WrongSignUpPassword = expectedError(
  'SVC_ACCOUNTS_SIGN_UP_PASSWORD',
  'this is not the password of the sign-up; type it again, or sign up again',
  400
)

/** 409: another account has this address. Fix: sign in to it, or use another address. */
export const AddressTaken = expectedError('SVC_ACCOUNTS_TAKEN', 'an account with this address exists', 409)

/** 404: no invitation has this reference. Fix: list the invitations; accepted ones and those that are over are not in it. */
export const InvitationNotFound = expectedError('SVC_ACCOUNTS_INVITATION', 'there is no such invitation', 404)

/** recorded: the data of an account is larger than `export.maxBytes`. Fix: raise it, or export less in a part. */
export const ExportTooLarge = createError<[bytes: string, most: string]>(
  'SVC_ACCOUNTS_EXPORT_SIZE',
  'the export has %s bytes, and export.maxBytes is %s',
  500
)

/** thrown by `fastify.accounts`: a flow is called that the options do not switch on. Fix: write its section. */
export const FlowOff = createError<[flow: string]>(
  'SVC_ACCOUNTS_OFF',
  'this flow is off; switch it on with svc-accounts: { %s: {} }',
  500,
  TypeError
)

/** thrown by `accounts.describe`: a part of the data has this name already. Fix: choose another. */
export const PartTaken = createError<[name: string]>(
  'SVC_ACCOUNTS_PART',
  'a part of the data of accounts is named %s already',
  500,
  TypeError
)
