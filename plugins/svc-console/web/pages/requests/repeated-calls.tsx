/** Calls of a repository that a request made once per row (N+1): each with how often, where one call would do. */
import { Badge } from '../../parts/badge.tsx'
import type { WholeRequest } from './requests-api.ts'

/** So many calls of one shape are no accident. */
const MOST = 10

/** They read one page after the other, as they are meant to. */
const WALKS = /^(?:page|stream) /

export function RepeatedCalls({ request: { calls } }: { readonly request: Pick<WholeRequest, 'calls'> }) {
  const counts = new Map<string, number>()
  for (const { plan } of calls) if (plan !== null && !WALKS.test(plan)) counts.set(plan, (counts.get(plan) ?? 0) + 1)
  const repeated = [...counts].filter(([, count]) => count > MOST)
  if (repeated.length === 0) return null
  return (
    <ul class="things" aria-label="Calls per row">
      {repeated.map(([plan, count]) => (
        <li key={plan}>
          <code class="statement">{plan}</code>
          <Badge tone="warn">{`${count} times: read or write all rows with one call`}</Badge>
        </li>
      ))}
    </ul>
  )
}
