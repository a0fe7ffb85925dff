/** One event of the journal with all of its fields, and the ways on from it. */
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { serves } from '../../app/settings.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field, TextField } from '../../parts/fields.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Time } from '../../parts/time.tsx'
import { readEvent } from './audit-api.ts'

const TONES: Readonly<Record<string, Tone>> = { success: 'good', failure: 'bad', denied: 'warn' }

export function OutcomeBadge({ outcome }: { readonly outcome: string }) {
  return <Badge tone={TONES[outcome] ?? 'plain'}>{outcome}</Badge>
}

export function EventPage({ id }: { readonly id: string }) {
  const { value: event, error, reload } = useAnswer(id, () => readEvent(id))
  const above = { title: 'Audit', href: href(['audit']) }
  if (event === null) {
    return (
      <>
        <PageHead title="Event" above={above} />
        <ErrorNotice error={error} onRetry={reload} />
      </>
    )
  }
  const { action, actor, requestId, metadata } = event
  // Of a refusal: the template of its route, as the explanation takes it.
  const { method, route } = metadata
  return (
    <>
      <PageHead title={action} above={above}>
        {typeof method === 'string' && typeof route === 'string' && serves('access') && (
          <a class="button" href={href(['access'], { method, path: route, user: actor })}>
            Explain this
          </a>
        )}
        {requestId !== null && serves('requests') && (
          <a class="button" href={href(['requests', requestId])}>
            Its request
          </a>
        )}
        {requestId !== null && (
          <a class="button" href={href(['audit'], { requestId })}>
            All of this request
          </a>
        )}
        {actor !== null && (
          <a class="button" href={href(['audit'], { actor })}>
            All of this actor
          </a>
        )}
      </PageHead>
      <dl class="fields">
        <Field name="Outcome">
          <OutcomeBadge outcome={event.outcome} />
        </Field>
        <Field name="Time">
          <Time at={event.ts} whole />
        </Field>
        <TextField name="Reason" text={event.reason} />
        <TextField name="Actor" text={actor} />
        <TextField name="Resource" text={event.resource} />
        <TextField name="Category" text={event.category} />
        <TextField name="Address" text={event.ip} />
        <TextField name="User agent" text={event.userAgent} />
        <TextField name="Request" text={requestId} />
        <TextField name="Event" text={event.id} />
      </dl>
      <h2>Metadata</h2>
      {Object.keys(metadata).length === 0 ? <p class="muted">None.</p> : <pre>{JSON.stringify(metadata, null, 2)}</pre>}
      <CopyButton text={JSON.stringify(event, null, 2)} label="Copy the event as JSON" />
    </>
  )
}
