/** Types of what the routes of svc-security answer over HTTP, as they declare it. */
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from './api/answers.ts'

export type SignedIn = FromSchema<typeof answers.signedIn>
export type CodeDue = FromSchema<typeof answers.codeDue>
export type Me = FromSchema<typeof answers.me>
export type Tokens = FromSchema<typeof answers.tokens>
export type PublicKeys = FromSchema<typeof answers.publicKeys>
export type OwnSession = FromSchema<typeof answers.ownSession>
export type OwnSessions = FromSchema<typeof answers.ownSessions>
export type Sessions = FromSchema<typeof answers.sessions>
export type EndedSessions = FromSchema<typeof answers.endedSessions>
export type EndedOfUser = FromSchema<typeof answers.endedOfUser>
export type Grants = FromSchema<typeof answers.grants>
export type TotpSecret = FromSchema<typeof answers.totpSecret>
export type TotpStatus = FromSchema<typeof answers.totpStatus>
export type RecoveryCodes = FromSchema<typeof answers.recoveryCodes>
export type NewPasskey = FromSchema<typeof answers.newPasskey>
export type Passkeys = FromSchema<typeof answers.passkeys>
export type ProviderLogout = FromSchema<typeof answers.providerLogout>
export type LinkedAccounts = FromSchema<typeof answers.linkedAccounts>
export type User = FromSchema<typeof answers.user>
export type Users = FromSchema<typeof answers.users>
export type ImpersonationState = FromSchema<typeof answers.impersonation>
export type UserAccess = FromSchema<typeof answers.userAccess>
export type ChangedUser = FromSchema<typeof answers.changedUser>
export type Factors = FromSchema<typeof answers.factors>
export type NewApiKey = FromSchema<typeof answers.newApiKey>
export type OwnApiKeys = FromSchema<typeof answers.ownApiKeys>
export type ApiKeys = FromSchema<typeof answers.apiKeys>
export type Firewall = FromSchema<typeof answers.firewall>
export type Roles = FromSchema<typeof answers.roles>
export type Explanation = FromSchema<typeof answers.explanation>
export type Matrix = FromSchema<typeof answers.matrix>
export type Lints = FromSchema<typeof answers.lints>
