/**
 * `fastify.jury` as your code calls it. It denies everything until the end of the boot. `decide` reports every denial
 * once to the journal; `deliberate` and `explain` report nothing.
 */
import { type AccessToken, currentRequest, type MaybePromise } from 'svc-kernel'
import { adoptAccessToken, isThenable, type JuryPort } from 'svc-kernel/plugin'
import { InvalidVote } from '../errors.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import {
  type AccessDecisionManager,
  type Explanation,
  failed,
  NO_IDENTITY,
  type Verdict
} from './access-decision-manager.ts'
import { type RecordedVote, RecordedVotes } from './recorded-votes.ts'
import type { AccessVoter, NamedVoter } from './voter.ts'

/** `fastify.jury`: asks the voters. It denies everything until the end of the boot. */
export class Jury implements JuryPort {
  readonly #journal: SecurityJournal
  readonly #added: AccessVoter[] = []
  #manager: AccessDecisionManager | null = null

  constructor(journal: SecurityJournal) {
    this.#journal = journal
  }

  /** The voters, in the order in which they vote; empty before the end of the boot. */
  get voters(): readonly NamedVoter[] {
    return this.#manager?.voters ?? []
  }

  /** Voters of plugins, which are asked before those of the application. */
  get added(): readonly AccessVoter[] {
    return this.#added
  }

  /** Adds a voter of a plugin to this application; called while plugins register. */
  add(voter: AccessVoter): void {
    this.#added.push(voter)
  }

  /** Called once, at the end of the boot. */
  use(manager: AccessDecisionManager): void {
    this.#manager = manager
  }

  /**
   * May the owner of `token` do `attribute` (to `subject`)? Synchronous if every voter is.
   *
   * @param token the caller's token; `null`, or a token without an identity, is refused
   * @returns `false` for every refusal, also if a voter fails; never throws or rejects
   */
  decide(token: AccessToken | null, attribute: string, subject?: unknown): MaybePromise<boolean> {
    const verdict = this.deliberate(token, attribute, subject)
    return isThenable(verdict)
      ? verdict.then((settled) => this.#conclude(settled, token, attribute))
      : this.#conclude(verdict, token, attribute)
  }

  /** As `decide`, with the reason of a refusal; not recorded in the journal. */
  deliberate(
    token: AccessToken | null,
    attribute: string,
    subject?: unknown,
    votes: RecordedVotes | null = null
  ): MaybePromise<Verdict> {
    const adopted = adoptAccessToken(token)
    if (adopted === null) return NO_IDENTITY
    if (this.#manager === null)
      return failed(null, new InvalidVote('guards cannot be evaluated before the boot has finished'))
    return this.#manager.decide(adopted, attribute, subject, votes)
  }

  /** A dry run: the decision with every vote, in order. */
  async explain(token: AccessToken | null, attribute: string, subject?: unknown): Promise<Explanation> {
    const votes = new RecordedVotes()
    const { granted, reason } = await this.deliberate(token, attribute, subject, votes)
    return { granted, reason, votes: this.reasoned(votes.cast, token, attribute, subject) }
  }

  /** Votes of `deliberate`, with the explanations of their voters. */
  reasoned(
    votes: readonly RecordedVote[],
    token: AccessToken | null,
    attribute: string,
    subject?: unknown
  ): readonly RecordedVote[] {
    const adopted = adoptAccessToken(token)
    return adopted === null || this.#manager === null
      ? votes
      : this.#manager.reasoned(votes, adopted, attribute, subject)
  }

  #conclude(verdict: Verdict, token: AccessToken | null, attribute: string): boolean {
    if (verdict.granted) return true
    const { reason, voter, detail, error } = verdict
    const actor = adoptAccessToken(token)?.getUserIdentifier() ?? null
    const denial = { actor, attribute: String(attribute), reason: reason ?? 'error', voter, detail, error }
    this.#journal.accessDenied(denial, currentRequest())
    return false
  }
}
