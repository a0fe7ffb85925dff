/** One request from its first byte to what it caused: who was let in and why, how long each phase took. */
import type { ComponentChildren } from 'preact'
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { counted } from '../../parts/counted.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field, TextField } from '../../parts/fields.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { Votes } from '../../parts/votes.tsx'
import { Phases } from './phases.tsx'
import { StatusBadge } from './request-list.tsx'
import { readRequest, type WholeRequest } from './requests-api.ts'

export function RequestPage({ id }: { readonly id: string }) {
  const { value: request, error, reload } = useAnswer(id, () => readRequest(id))
  const above = { title: 'Requests', href: href(['requests']) }
  if (request === null) {
    return (
      <>
        <PageHead title="Request" above={above} />
        <ErrorNotice error={error} onRetry={reload} />
      </>
    )
  }
  const { method, url, status, error: code, user, route, handler, admission } = request
  const [path = url] = url.split('?')
  return (
    <>
      <PageHead title={`${method} ${url}`} above={above}>
        <a class="button" href={href(['access'], { method, path, user })}>
          Explain
        </a>
        <a class="button" href={href(['audit'], { requestId: id })}>
          Its events
        </a>
      </PageHead>
      <Phases request={request} />
      <dl class="fields">
        <Field name="Answer">
          <StatusBadge status={status} /> {code !== null && <code>{code}</code>} after {request.durationMs.toFixed(2)}{' '}
          ms
        </Field>
        <Field name="Time">
          <Time at={request.at} whole />
        </Field>
        <TextField name="Route" text={route} />
        <TextField name="Handler" text={handler} />
        <Field name="Identity">
          {user ?? <span class="muted">nobody</span>} {request.tokenType !== null && `by ${request.tokenType}`}
        </Field>
        <Field name="Zone">
          {admission === null ? (
            <span class="muted">none</span>
          ) : (
            [admission.zone, admission.authenticator, admission.outcome, admission.reason]
              .filter((part) => part !== null)
              .join(', ')
          )}
        </Field>
        <TextField name="Address" text={request.ip} />
        <TextField name="Id" text={id} />
      </dl>
      {request.decisions.length > 0 && (
        <Part title="Decisions">
          {request.decisions.map(({ subject, ...decision }) => (
            <Votes key={`${decision.attribute} ${subject}`} {...decision} subject={subject && `of ${subject}`} />
          ))}
        </Part>
      )}
      <Caused request={request} />
      <Part title="Headers">
        <pre>
          {Object.entries(request.headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </pre>
      </Part>
    </>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Caused({
  request: { statements, events, deliveries, messages, omitted }
}: {
  readonly request: WholeRequest
}) {
  return (
    <>
      {statements.length > 0 && (
        <Part title="Statements">
          <ul class="things">
            {statements.map(({ connector, kind, table, at, durationMs, failed }, index) => (
              <li key={`${index} ${at}`}>
                <span>
                  {kind} <code>{table}</code> <span class="muted">on {connector}</span>
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
      {omitted > 0 && <p class="muted">{omitted} more were left out.</p>}
    </>
  )
}
