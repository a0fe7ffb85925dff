/** Webhooks: the list of endpoints, a new one, or one of them with its parts. */
import type { PageProps } from '../../app/page.ts'
import { DeliveryPage } from './delivery-page.tsx'
import { EndpointList } from './endpoint-list.tsx'
import { EndpointPage } from './endpoint-page.tsx'
import { NewEndpoint } from './new-endpoint.tsx'

export default function WebhooksPage({ rest: [id, part = 'overview', message] }: PageProps) {
  if (id === undefined) return <EndpointList />
  if (id === 'new') return <NewEndpoint />
  if (message !== undefined) return <DeliveryPage key={message} id={id} messageId={message} />
  return <EndpointPage key={id} id={id} part={part} />
}
