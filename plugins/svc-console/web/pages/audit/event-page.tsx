/** One event of the journal with all of its fields, and the ways on from it. */
import type { ComponentChildren } from 'preact'
import { useAnswer } from '../../app/answer.ts'
import { href } from '../../app/location.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
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
  return (
    <>
      <PageHead title={action} above={above}>
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
        <Text name="Reason" text={event.reason} />
        <Text name="Actor" text={actor} />
        <Text name="Resource" text={event.resource} />
        <Text name="Category" text={event.category} />
        <Text name="Address" text={event.ip} />
        <Text name="User agent" text={event.userAgent} />
        <Text name="Request" text={requestId} />
        <Text name="Event" text={event.id} />
      </dl>
      <h2>Metadata</h2>
      {Object.keys(metadata).length === 0 ? <p class="muted">None.</p> : <pre>{JSON.stringify(metadata, null, 2)}</pre>}
      <CopyButton text={JSON.stringify(event, null, 2)} label="Copy the event as JSON" />
    </>
  )
}

function Field({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Text({ name, text }: { readonly name: string; readonly text: string | null }) {
  return (
    <Field name={name}>
      {text === null ? (
        <span class="muted">none</span>
      ) : (
        <>
          <span class="value">{text}</span> <CopyButton text={text} label={`Copy ${name}`} />
        </>
      )}
    </Field>
  )
}
