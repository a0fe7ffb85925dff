/** What an endpoint is and how it fares; of one that was stopped, why. */
import { useAnswer } from '../../app/answer.ts'
import { serves } from '../../app/settings.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Field, TextField } from '../../parts/fields.tsx'
import { Time } from '../../parts/time.tsx'
import { EndpointHealth, HealthBadge, useDay } from './endpoint-health.tsx'
import { PendingDeliveries } from './pending-deliveries.tsx'
import { type Endpoint, whyDisabled } from './webhooks-api.ts'

export function EndpointOverview({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, url, events, headers = [], warnings, lastDeliveryAt, lastDeliveryStatus, lastDeliveryError } = endpoint
  const day = useDay(endpoint)
  // Together, so that what is there does not move.
  if (day.value === null && day.error === null) return <p class="muted">Loading …</p>
  return (
    <>
      <WhyDisabled endpoint={endpoint} />
      {warnings.map((warning) => (
        <p class="notice warn" key={warning}>
          {warning}
        </p>
      ))}
      <ErrorNotice error={day.error} onRetry={day.reload} />
      {day.value !== null && <EndpointHealth day={day.value} />}
      <PendingDeliveries id={id} />
      <dl class="fields">
        <Field name="Health">
          <HealthBadge endpoint={endpoint} />
        </Field>
        <TextField name="URL" text={url} />
        <Field name="Events">
          <code>{events.join(', ')}</code>
        </Field>
        <Field name="Last delivery">
          <Time at={lastDeliveryAt} whole /> {lastDeliveryStatus} {lastDeliveryError}
        </Field>
        <Field name="Custom headers">
          {headers.length === 0 ? <span class="muted">none</span> : <code>{headers.join(', ')}</code>}
        </Field>
        {endpoint.previousSecretEndsAt != null && (
          <Field name="Old secret ends">
            <Time at={endpoint.previousSecretEndsAt} whole />
          </Field>
        )}
        <Field name="Registered">
          <Time at={endpoint.createdAt} whole /> {endpoint.createdBy !== null && `by ${endpoint.createdBy}`}
        </Field>
        <TextField name="Id" text={id} />
      </dl>
    </>
  )
}

function WhyDisabled({ endpoint: { id, enabled, failureCount } }: { readonly endpoint: Endpoint }) {
  const asks = !enabled && failureCount > 0 && serves('audit')
  const { value } = useAnswer(asks ? id : null, () => whyDisabled(id))
  if (enabled || failureCount === 0) return null
  return (
    <div class="notice bad">
      <p>
        <strong>Disabled after {failureCount} failed deliveries in a row.</strong>{' '}
        {value !== null && (
          <>
            <Time at={value.ts} />
            {value.reason !== null && `: ${value.reason}`}
          </>
        )}
      </p>
      <p class="muted">
        Mend the receiver, resume the endpoint, then recover what it missed. Its deliveries say what it answered.
      </p>
    </div>
  )
}
