/** What can be done to an endpoint. Pausing can be undone; what cannot is asked about first. */
import { useState } from 'preact/hooks'
import { go, href } from '../../app/location.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { outcomeOf } from './delivery-outcome.tsx'
import { RotateDialog, SecretDialog } from './secret-dialogs.tsx'
import {
  changeEndpoint,
  type Endpoint,
  readEndpoint,
  removeEndpoint,
  revealSecret,
  rotateSecret,
  sendTest
} from './webhooks-api.ts'

interface EndpointActionsProps {
  readonly endpoint: Endpoint
  readonly onChange: (endpoint: Endpoint) => void
  /** A test message ended. */
  readonly onTested: () => void
}

type Open = 'rotate' | 'reveal' | 'remove' | null

export function EndpointActions({ endpoint, onChange, onTested }: EndpointActionsProps) {
  const { id, enabled } = endpoint
  const [open, setOpen] = useState<Open>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const action = useAction()
  const switchTo = async (wanted: boolean) => {
    onChange(await changeEndpoint(id, { enabled: wanted }))
    toast(wanted ? 'Resumed.' : 'Paused: nothing is sent to it.', () => void action.run(() => switchTo(!wanted)))
  }
  const test = async () => {
    const messageId = await sendTest(id)
    toast('A test message is on its way.')
    toast(await outcomeOf(id, messageId))
    onTested()
  }
  return (
    <>
      <button type="button" disabled={action.busy} onClick={() => void action.run(test)}>
        Send a test
      </button>
      <button type="button" disabled={action.busy} onClick={() => void action.run(() => switchTo(!enabled))}>
        {enabled ? 'Pause' : 'Resume'}
      </button>
      <button type="button" onClick={() => setOpen('reveal')}>
        Show secret
      </button>
      <button type="button" onClick={() => setOpen('rotate')}>
        Replace secret
      </button>
      <button type="button" class="danger" onClick={() => setOpen('remove')}>
        Delete
      </button>
      {action.error !== null && (
        <Dialog title="That was not done" onClose={() => void action.run(async () => undefined)}>
          <ErrorNotice error={action.error} />
        </Dialog>
      )}
      {open === 'rotate' && (
        <RotateDialog
          onClose={() => setOpen(null)}
          onRotate={async (overlapS) => {
            const made = await rotateSecret(id, overlapS)
            setOpen(null)
            setSecret(made.secret)
          }}
        />
      )}
      {open === 'reveal' && (
        <Confirm
          title="Show the secret"
          action="Show"
          onClose={() => setOpen(null)}
          onConfirm={() => void action.run(async () => setSecret(await revealSecret(id)))}
        >
          <p>Who sees it can sign messages. The journal records that you looked.</p>
        </Confirm>
      )}
      {open === 'remove' && (
        <Confirm
          title="Delete this endpoint"
          action="Delete"
          onClose={() => setOpen(null)}
          onConfirm={() =>
            void action.run(async () => {
              await removeEndpoint(id)
              toast('Deleted.')
              go(href(['webhooks']))
            })
          }
        >
          <p>Nothing more is sent to {endpoint.url}. Its secret and its deliveries are gone, too.</p>
        </Confirm>
      )}
      {secret !== null && (
        <SecretDialog
          secret={secret}
          onClose={() => {
            setSecret(null)
            void action.run(async () => onChange(await readEndpoint(id)))
          }}
        />
      )}
    </>
  )
}
