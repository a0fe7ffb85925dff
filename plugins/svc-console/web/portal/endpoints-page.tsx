/** The endpoints of the organisation, and a new one. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../app/answer.ts'
import { Badge } from '../parts/badge.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Time } from '../parts/time.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { Notice } from './notice.tsx'
import { go, href } from './place.ts'
import { createEndpoint, type Endpoint, readEndpoints } from './portal-api.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { SectionHead } from './section-head.tsx'
import { say } from './texts.ts'

export function EndpointsPage() {
  const { value, error, reload } = useAnswer('endpoints', readEndpoints)
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null)
  return (
    <>
      <SectionHead title={say('endpoints')} hint={say('endpointsHint')}>
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          {say('addEndpoint')}
        </button>
      </SectionHead>
      <Notice error={error} onRetry={reload} />
      {value === null && error === null && <p class="muted">{say('loading')}</p>}
      {value?.length === 0 && (
        <EmptyState title={say('noEndpoints')}>
          <p class="muted">{say('noEndpointsHint')}</p>
        </EmptyState>
      )}
      {value !== null && value.length > 0 && (
        <ul class="portal-list">
          {value.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
      )}
      {adding && (
        <Dialog title={say('addEndpoint')} onClose={() => setAdding(false)}>
          <EndpointForm
            endpoint={null}
            onSave={async (change) => {
              const { endpoint, secret } = await createEndpoint(change)
              setAdding(false)
              setMade({ id: endpoint.id, secret })
            }}
          />
        </Dialog>
      )}
      {made !== null && (
        <SecretDialog
          title={say('secret')}
          hint={say('secretHint')}
          secret={made.secret}
          onClose={() => go('endpoints', made.id)}
        />
      )}
    </>
  )
}

function EndpointRow({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, url, description, lastDeliveryAt, events } = endpoint
  return (
    <li class="card portal-endpoint">
      <div>
        <a class="portal-url" href={href('endpoints', id)}>
          {url}
        </a>
        {description !== null && <p class="muted">{description}</p>}
        <p class="portal-facts">
          <EventNames events={events} />
          <span class="muted">
            {say('lastDelivery')}: <Time at={lastDeliveryAt} />
          </span>
        </p>
      </div>
      <EndpointState endpoint={endpoint} />
    </li>
  )
}

export function EndpointState({ endpoint }: { readonly endpoint: Pick<Endpoint, 'enabled' | 'failureCount'> }) {
  if (!endpoint.enabled) return <Badge tone="plain">{say('off')}</Badge>
  if (endpoint.failureCount > 0) return <Badge tone="warn">{say('failing')}</Badge>
  return <Badge tone="good">{say('on')}</Badge>
}

export function EventNames({ events }: { readonly events: readonly string[] }) {
  if (events.includes('*')) return <span>{say('allEvents')}</span>
  return (
    <span class="portal-names">
      {events.map((name) => (
        <code key={name}>{name}</code>
      ))}
    </span>
  )
}
