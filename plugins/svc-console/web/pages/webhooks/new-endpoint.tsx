/** Registers an endpoint, and shows its secret. */
import { useState } from 'preact/hooks'
import { go, href } from '../../app/location.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { SecretDialog } from './secret-dialogs.tsx'
import { createEndpoint } from './webhooks-api.ts'

export function NewEndpoint() {
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null)
  return (
    <>
      <PageHead title="New endpoint" above={{ title: 'Webhooks', href: href(['webhooks']) }} />
      <EndpointForm
        endpoint={null}
        onSave={async (change) => {
          const { endpoint, secret } = await createEndpoint(change)
          setMade({ id: endpoint.id, secret })
        }}
      />
      {made !== null && (
        <SecretDialog secret={made.secret} onClose={() => go(href(['webhooks', made.id]), { replace: true })} />
      )}
    </>
  )
}
