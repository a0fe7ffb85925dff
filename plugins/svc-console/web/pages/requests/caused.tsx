/**
 * What a request caused: events, deliveries and messages, and apart from them what came when the answer was out. Statements
 * that the answer waited for are in its waterfall.
 */
import type { ComponentChildren } from 'preact'
import { href } from '../../app/location.ts'
import { counted } from '../../parts/counted.ts'
import type { WholeRequest } from './requests-api.ts'

type Causes = Pick<WholeRequest, 'statements' | 'events' | 'deliveries' | 'messages'>

export function Caused({ request }: { readonly request: WholeRequest }) {
  const { omitted } = request
  const later = chosen(request, true)
  const isLater = Object.values(later).some((list) => list.length > 0)
  return (
    <>
      <Causes causes={{ ...chosen(request, false), statements: [] }} />
      {isLater && (
        <section aria-label="Afterwards">
          <h2>Afterwards</h2>
          <p class="muted">The answer was out by then, and waited for none of this.</p>
          <Causes causes={later} />
        </section>
      )}
      {omitted > 0 && <p class="muted">{omitted} more were left out.</p>}
    </>
  )
}

function chosen({ statements, events, deliveries, messages }: WholeRequest, afterwards: boolean): Causes {
  const of = <Row extends { readonly afterwards: boolean }>(rows: readonly Row[]) =>
    rows.filter((row) => row.afterwards === afterwards)
  return { statements: of(statements), events: of(events), deliveries: of(deliveries), messages: of(messages) }
}

export function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Causes({ causes: { statements, events, deliveries, messages } }: { readonly causes: Causes }) {
  return (
    <>
      {statements.length > 0 && (
        <Part title="Statements">
          <ul class="things">
            {statements.map(({ connector, kind, table, text, at, durationMs, failed }, index) => (
              <li key={`${index} ${at}`}>
                <span>
                  {kind} <code>{table}</code> <span class="muted">on {connector}</span>
                  {text !== null && <code class="statement">{text}</code>}
                </span>
                <span class={failed ? 'badge bad' : 'muted'}>
                  {durationMs.toFixed(2)} ms{failed ? ', failed' : ''}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {events.length > 0 && (
        <Part title="Events of the journal">
          <ul class="things">
            {events.map(({ id, action }) => (
              <li key={id}>
                <a href={href(['audit', id])}>{action}</a>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {deliveries.length > 0 && (
        <Part title="Deliveries">
          <ul class="things">
            {deliveries.map(({ endpointId, eventId, messageId, state, attempts, status }) => (
              <li key={`${endpointId} ${eventId}`}>
                <a
                  href={href(
                    messageId === null ? ['webhooks', endpointId] : ['webhooks', endpointId, 'deliveries', messageId]
                  )}
                >
                  {endpointId}
                </a>
                <span>
                  {state}, {counted(attempts, 'attempt')} {status}
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {messages.length > 0 && (
        <Part title="Realtime messages">
          <ul class="things">
            {messages.map(({ channel, count }) => (
              <li key={channel}>
                <code>{channel}</code> {count}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}
