/**
 * Which passwords may be set, wherever one is: as long as the option says, without the words of its user and of the
 * application, none of the most frequent or of a list of breached ones, and taken by the check of the application. A login asks none of this: a user
 * with an older password keeps it until it changes.
 */
import type { Clock } from 'svc-kernel'
import { withTimeout } from 'svc-kernel/plugin'
import { AuthenticationUnavailable, InvalidPassword } from '../errors.ts'
import { printable, refusedFor } from '../journal/audit-writer.ts'
import { MAX_PASSWORD_LENGTH } from '../password-hashes/argon2id.ts'
import { orUnavailable } from '../stores/guarded-store.ts'
import type { BreachedList } from './breached-passwords.ts'
import { type ContextWords, wordIn } from './context-words.ts'
import { isFrequent } from './frequent-passwords.ts'

/**
 * Says why a password is refused, as the end of the sentence "the password ...", such as `is in a list of leaked
 * passwords`; `null` takes it. It has five seconds; without an answer the password is not set (503).
 *
 * @param identifier of its user; `null` where it is not known
 */
export type PasswordCheck = (password: string, identifier: string | null) => string | null | Promise<string | null>

export interface PasswordRules {
  /** In characters, as Unicode counts them. */
  readonly minLength: number
  /** Words of the application that no password may contain. */
  readonly words: ContextWords
  /** Asked one after the other. */
  readonly breached: readonly BreachedList[]
  readonly check: PasswordCheck | undefined
  readonly clock: Clock
}

const DEADLINE_MS = 5000

const CONTEXT = {
  user: 'contains the name of its user',
  application: 'contains a word of this application, which others would try first'
} as const

/** @throws InvalidPassword (SVC_SEC_PASSWORD, 400), AuthenticationUnavailable (503) where a list or the check cannot answer */
export async function checkNewPassword(
  password: string,
  identifier: string | null,
  { minLength, words, breached, check, clock }: PasswordRules
): Promise<void> {
  if (typeof password !== 'string' || password === '') throw new InvalidPassword('is empty')
  if (password.length > MAX_PASSWORD_LENGTH)
    throw new InvalidPassword(`has more than ${MAX_PASSWORD_LENGTH} characters`)
  if ([...password.normalize('NFC')].length < minLength) {
    throw new InvalidPassword(`has fewer than ${minLength} characters`)
  }
  const word = wordIn(password, identifier, words)
  if (word !== null) throw new InvalidPassword(CONTEXT[word])
  if (isFrequent(password)) throw new InvalidPassword('is one of the most frequent ones, which others try first')
  for (const isBreached of breached) {
    const found = await answered(() => isBreached(password), clock, 'the list of breached passwords returned no answer')
    if (found) throw new InvalidPassword('is in a list of breached passwords')
  }
  if (check === undefined) return
  const reason = await answered(async () => check(password, identifier), clock, 'passwords.check returned no answer')
  // An answer that is neither takes no password: what `check` meant is not known.
  if (reason !== null) throw new InvalidPassword(typeof reason === 'string' ? printable(reason) : 'is not accepted')
}

/** Within five seconds, or "not able now". */
async function answered(ask: () => Promise<unknown>, clock: Clock, silence: string): Promise<unknown> {
  const late = () => refusedFor(new AuthenticationUnavailable(), silence)
  return orUnavailable(() => withTimeout(DEADLINE_MS, clock, ask, late))
}
