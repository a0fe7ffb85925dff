/** One request from its first byte to what it caused: who was let in and why, how long each phase took. */
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field, TextField } from '../../parts/fields.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { Votes } from '../../parts/votes.tsx'
import { Caused, Part } from './caused.tsx'
import { RepeatedCalls } from './repeated-calls.tsx'
import { StatusBadge } from './request-list.tsx'
import { readRequest } from './requests-api.ts'
import { Waterfall } from './waterfall-view.tsx'

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
      <Waterfall request={request} />
      <RepeatedCalls request={request} />
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
      {request.failure !== null && (
        <Part title="What was thrown">
          <p>
            <strong>{request.failure.name}</strong> {request.failure.message}
          </p>
          {request.failure.stack !== '' && <pre>{request.failure.stack}</pre>}
        </Part>
      )}
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
