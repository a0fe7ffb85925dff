/** The errors of changes of users. */
import { expectedError } from 'svc-kernel/plugin'

/** 400: a user was to get a role that `declaredRoles` does not allow. Fix: correct the role, or add it there. */
export const UnknownRole = expectedError<[string, string]>('SVC_SEC_ROLE_UNKNOWN', 'no such role: %s; known: %s', 400)

/** 404: no user has this id. Fix: list the users again. */
export const UserNotFound = expectedError('SVC_SEC_USER_UNKNOWN', 'no user has this id', 404)

/**
 * 409: your application manages its users itself, in `parts.users` or an entity. Fix: list and change them there;
 * sessions, keys and second factors are managed here.
 */
export const UsersElsewhere = expectedError(
  'SVC_SEC_USERS_ELSEWHERE',
  'the application manages its users itself: list and change them there',
  409
)

/**
 * 409: the change would leave the application without an administrator. Fix: make another user an administrator
 * first.
 */
export const LastAdministrator = expectedError(
  'SVC_SEC_LAST_ADMIN',
  'this is the last user who can administer the application',
  409
)
