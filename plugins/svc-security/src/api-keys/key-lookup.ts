/**
 * What a presented key stands for: its record, the threshold of its subject, and the user. Where one database keeps all
 * of it, one statement brings it; users of the application's own are asked for by a look-up of theirs.
 */
import type { MaybePromise } from 'svc-kernel'
import { andThen, isThenable } from 'svc-kernel/plugin'
import { guardedStore, orUnavailable } from '../stores/guarded-store.ts'
import type { OwnedToken } from '../token-store/owned-tokens.ts'
import type { TokenRecord } from '../token-store/token-record.ts'
import { type TokensStore, tokensStore } from '../token-store/tokens-store.ts'
import { type LoadedUser, readUser, type UserSource } from '../users/user-source.ts'
import type { UserRecord } from '../users/user-store.ts'

export interface PresentedKey {
  readonly record: TokenRecord
  /** Epoch ms: what was issued to the subject before is refused; `null` where nothing is. */
  readonly invalidBefore: number | null
  readonly user: LoadedUser | null
}

/** @returns `null` for an unknown key; rejects with AuthenticationUnavailable (503) */
export type KeyLookup = (secretHash: string) => MaybePromise<PresentedKey | null>

/** @param store `null` where it is disabled */
export function keyLookup(store: TokensStore | null, users: UserSource): KeyLookup {
  const find = store?.withOwner?.(users.stored ?? null)
  if (find === undefined) return separately(guardedStore(tokensStore, store), users)
  const presented = (found: OwnedToken<UserRecord> | null): MaybePromise<PresentedKey | null> => {
    if (found === null) return null
    const { token: record, invalidBefore, owner } = found
    if (users.stored !== undefined) return { record, invalidBefore, user: readUser(owner) }
    const user = users.findByIdentifier(record.subject)
    return isThenable(user)
      ? user.then((later) => ({ record, invalidBefore, user: later }))
      : { record, invalidBefore, user }
  }
  return (secretHash) => orUnavailable(() => andThen(find(secretHash), presented))
}

/** For a store that has nothing but its operations. */
function separately(store: TokensStore, users: UserSource): KeyLookup {
  const decided = (record: TokenRecord | null): MaybePromise<PresentedKey | null> => {
    if (record === null) return null
    const invalidBefore = store.invalidBefore(record.subject)
    const user = orUnavailable(() => users.findByIdentifier(record.subject))
    if (!isThenable(invalidBefore) && !isThenable(user)) return { record, invalidBefore, user }
    return Promise.all([invalidBefore, user]).then(([time, found]) => ({ record, invalidBefore: time, user: found }))
  }
  return (secretHash) => andThen(store.findByHash(secretHash), decided)
}
