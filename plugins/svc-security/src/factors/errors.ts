/** Refusals around accounts at providers. */
import { expectedError } from 'svc-kernel/plugin'

/** 404: the user has no account of this provider. Fix: list the accounts with `GET oauth2/accounts`. */
export const LinkNotFound = expectedError('SVC_SEC_LINK_UNKNOWN', 'the user has no account of this provider', 404)

/** 409: the user could not log in any more. Fix: set a password, add a passkey or link another account first. */
export const LastWayIn = expectedError('SVC_SEC_LAST_WAY_IN', 'this is the only way in which the user can log in', 409)

/** 400: a logout token of a provider is not valid, or came before. Fix: the journal has the cause; check issuer and client id. */
export const LogoutTokenInvalid = expectedError('SVC_SEC_LOGOUT_TOKEN', 'the logout token is not valid', 400)
