/** One endpoint: what it is, how it fares, what was sent to it, and what can be done. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { go, href } from '../../app/location.ts'
import { useRenewal } from '../../app/renewal.ts'
import { toast } from '../../app/toasts.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointOverview } from './endpoint-overview.tsx'
import { RecoveryForm } from './recovery-form.tsx'
import { changeEndpoint, readEndpoint } from './webhooks-api.ts'

const PARTS: readonly [name: string, title: string][] = [
  ['overview', 'Overview'],
  ['deliveries', 'Deliveries'],
  ['recover', 'Recover'],
  ['edit', 'Edit']
]

export function EndpointPage({ id, part }: { readonly id: string; readonly part: string }) {
  const answer = useAnswer(id, () => readEndpoint(id))
  const { value: endpoint, error, reload, set } = answer
  const [tests, setTests] = useState(0)
  const [forms, setForms] = useState(0)
  // A form is not changed under the hands of who fills it in.
  useRenewal(() => {
    if (part !== 'edit') reload()
  })
  const above = { title: 'Webhooks', href: href(['webhooks']) }
  if (endpoint === null && error === null) return <p class="muted loading">Loading …</p>
  if (endpoint === null) {
    return (
      <>
        <PageHead title="Endpoint" above={above} />
        <ErrorNotice error={error} onRetry={reload} />
      </>
    )
  }
  const tabs = PARTS.map(([name, title]) => ({
    title,
    segments: name === 'overview' ? ['webhooks', id] : ['webhooks', id, name],
    current: name === part
  }))
  return (
    <>
      <PageHead title={endpoint.description ?? endpoint.url} above={above}>
        <EndpointActions endpoint={endpoint} onChange={set} onTested={() => setTests(tests + 1)} />
      </PageHead>
      <ErrorNotice error={error} onRetry={reload} />
      <Tabs label="Parts of the endpoint" tabs={tabs} />
      {part === 'deliveries' && <DeliveryList key={tests} id={id} />}
      {part === 'recover' && <RecoveryForm id={id} />}
      {part === 'edit' && (
        <EndpointForm
          key={forms}
          endpoint={endpoint}
          onTheirs={(theirs) => {
            set(theirs)
            setForms(forms + 1)
          }}
          onSave={async (change, seen) => {
            set(await changeEndpoint(id, change, seen))
            toast('Saved.')
            go(href(['webhooks', id]))
          }}
        />
      )}
      {!['deliveries', 'recover', 'edit'].includes(part) && <EndpointOverview key={tests} endpoint={endpoint} />}
    </>
  )
}
