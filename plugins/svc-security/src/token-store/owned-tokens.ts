/**
 * A token by the hash of its secret, with what decides on it: the threshold of its subject, and its user. In one
 * statement where one database keeps all three.
 */
import type { MaybePromise } from 'svc-kernel'
import { andThen } from 'svc-kernel/plugin'
import { type Join, joinedLookup, type Lookup, type Table } from 'svc-stores/table'
import { type Threshold, timeOf } from './token-denials.ts'
import type { TokenRecord } from './token-record.ts'

/** A token, and what decides on it besides itself. */
export interface OwnedToken<Owner> {
  readonly token: TokenRecord
  /** Epoch ms: what was issued to the subject before is refused; `null` where nothing is. */
  readonly invalidBefore: number | null
  readonly owner: Owner | null
}

export type FindOwned<Owner> = (secretHash: string) => MaybePromise<OwnedToken<Owner> | null>

type FoundToken = readonly [token: TokenRecord, threshold: object | null, owner?: object | null]

/** Made once. @param owners where users are found by the subject; `null` where they are not to be looked for */
export function ownedTokens<Owner extends object>(
  tokens: Table<TokenRecord>,
  thresholds: Lookup<Threshold>,
  owners: Lookup<Owner> | null
): FindOwned<Owner> {
  const others = owners === null ? [thresholds] : [thresholds, owners]
  const joins = others.map((other) => ({ ...other, on: 'subject' })) as unknown as readonly Join<TokenRecord, object>[]
  const lookup = joinedLookup<TokenRecord, readonly object[]>(tokens, joins)
  return (secretHash) => andThen(lookup({ secretHash }), owned<Owner>)
}

function owned<Owner>(found: readonly unknown[] | null): OwnedToken<Owner> | null {
  if (found === null) return null
  const [token, threshold, owner = null] = found as FoundToken
  return { token, invalidBefore: timeOf(threshold as Threshold | null), owner: owner as Owner | null }
}
