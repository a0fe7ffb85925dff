/** Removes what a user enrolled to log in with: where an account is taken back, whoever had it may have enrolled it. */

import { PasskeyNotFound } from '../errors.ts'
import type { PasskeyService } from '../factors/passkeys/passkey-service.ts'
import type { TotpService } from '../factors/totp/totp-service.ts'
import type { LoadedUser } from '../users/user-source.ts'
import type { UserStore } from '../users/user-store.ts'

export interface EnrolledFactors {
  /** Each `null` where it is switched off. */
  readonly totp: Pick<TotpService, 'remove'> | null
  readonly passkeys: Pick<PasskeyService, 'list' | 'remove'> | null
  /** `null` where the application keeps its users itself. */
  readonly users: Pick<UserStore, 'find' | 'unlinkSocialAccount'> | null
}

/** One-time codes, passkeys and links to accounts at providers. Repeating it is safe. */
export async function forgetFactors(user: LoadedUser, { totp, passkeys, users }: EnrolledFactors): Promise<void> {
  const [enrolled = [], stored] = await Promise.all([passkeys?.list(user), users?.find(user.id)])
  await Promise.all([
    totp?.remove(user),
    ...enrolled.map(({ id }) => passkeys?.remove(user, id).catch(unlessGone)),
    ...(stored?.socialAccounts ?? []).map(({ provider, subject }) =>
      users?.unlinkSocialAccount(user.id, provider, subject)
    )
  ])
}

/** Its owner, or another ending, removed it meanwhile. */
function unlessGone(error: unknown): void {
  if (!(error instanceof PasskeyNotFound)) throw error
}
