/** One attribute of a guard, and how each voter voted on it. */
import type { ComponentChildren } from 'preact'
import { Badge, type Tone } from './badge.tsx'

interface VotesProps {
  readonly attribute: string
  /** What the attribute was asked of. */
  readonly subject: ComponentChildren
  readonly granted: boolean
  readonly reason: string | null
  readonly votes: readonly { readonly voter: string; readonly vote: string; readonly reason?: string | undefined }[]
}

/** What the words of a decision mean. */
const REASONS: Readonly<Record<string, string>> = {
  veto: 'a voter denied it',
  error: 'a voter failed',
  abstain: 'no voter granted it',
  'no-voter': 'no voter decides on it',
  'no-identity': 'the caller is not known',
  'no-organization': 'there is no such organisation',
  'no-member': 'the caller is not a member of the organisation',
  'organization-suspended': 'the organisation is suspended',
  'organization-closing': 'the organisation is being deleted'
}

/** A sentence for the reason of a decision; a word that the table does not have stays as it is. */
export const reasonText = (reason: string): string => REASONS[reason] ?? reason

const TONES: Readonly<Record<string, Tone>> = { GRANT: 'good', DENY: 'bad', ERROR: 'bad' }

export function Votes({ attribute, subject, granted, reason, votes }: VotesProps) {
  return (
    <table class="votes">
      <caption>
        <code>{attribute}</code> {subject}{' '}
        <span class="muted">
          {granted ? 'granted' : 'refused'}
          {reason !== null && `: ${reasonText(reason)}`}
        </span>
      </caption>
      <thead>
        <tr>
          <th scope="col">Voter</th>
          <th scope="col">Vote</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {votes.map(({ voter, vote, reason: why }) => (
          <tr key={voter}>
            <td>{voter}</td>
            <td>
              <Badge tone={TONES[vote] ?? 'plain'}>{vote}</Badge>
            </td>
            <td>{why}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
