/** One endpoint: what it is, what can be done with it, and what became of its messages. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../app/answer.ts'
import { toast } from '../app/toasts.tsx'
import { useAction } from '../parts/action.ts'
import { Confirm, Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/fields.tsx'
import { Time } from '../parts/time.tsx'
import { Attempts } from './attempts.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointState, EventNames } from './endpoints-page.tsx'
import { Notice } from './notice.tsx'
import { go, href } from './place.ts'
import { changeEndpoint, type Endpoint, readEndpoint, removeEndpoint, rotateSecret, sendTest } from './portal-api.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { SectionHead } from './section-head.tsx'
import { say } from './texts.ts'

export function EndpointPage({ id }: { readonly id: string }) {
  const { value, error, reload, set } = useAnswer(id, () => readEndpoint(id))
  return (
    <>
      <p>
        <a href={href('endpoints')}>← {say('endpoints')}</a>
      </p>
      <Notice error={error} onRetry={reload} />
      {value === null && error === null && <p class="muted">{say('loading')}</p>}
      {value !== null && <Shown endpoint={value} onChanged={set} onRenew={reload} />}
    </>
  )
}

interface ShownProps {
  readonly endpoint: Endpoint
  readonly onChanged: (endpoint: Endpoint) => void
  readonly onRenew: () => void
}

function Shown({ endpoint, onChanged, onRenew }: ShownProps) {
  const { id, url, description, events, enabled, previousSecretEndsAt } = endpoint
  const [open, setOpen] = useState<'change' | 'rotate' | 'remove' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [sent, setSent] = useState(0)
  const action = useAction()
  const close = () => setOpen(null)
  const test = () =>
    void action.run(async () => {
      await sendTest(id)
      toast(say('testSent'))
      setSent(sent + 1)
    })
  const flip = () =>
    void action.run(async () => onChanged(await changeEndpoint(id, { enabled: !enabled }, endpoint.updatedAt)))
  return (
    <>
      <SectionHead title={url}>
        <button type="button" class="primary" disabled={action.busy || !enabled} onClick={test}>
          {say('test')}
        </button>
        <button type="button" onClick={() => setOpen('change')}>
          {say('change')}
        </button>
        <button type="button" onClick={() => setOpen('rotate')}>
          {say('rotate')}
        </button>
        <button type="button" disabled={action.busy} onClick={flip}>
          {say(enabled ? 'switchOff' : 'switchOn')}
        </button>
        <button type="button" class="danger" onClick={() => setOpen('remove')}>
          {say('remove')}
        </button>
      </SectionHead>
      <Notice error={action.error} />
      <dl class="fields">
        <Field name={say('state')}>
          <EndpointState endpoint={endpoint} />
        </Field>
        {description !== null && <Field name={say('description')}>{description}</Field>}
        <Field name={say('events')}>
          <EventNames events={events} />
        </Field>
        {previousSecretEndsAt != null && (
          <Field name={say('oldSecret')}>
            <Time at={previousSecretEndsAt} whole />
          </Field>
        )}
      </dl>
      <Attempts id={id} sent={sent} onResent={() => setSent(sent + 1)} />
      {open === 'change' && (
        <Dialog title={say('change')} onClose={close}>
          <EndpointForm
            endpoint={endpoint}
            onSave={async (change) => {
              onChanged(await changeEndpoint(id, change, endpoint.updatedAt))
              close()
              toast(say('saved'))
            }}
          />
        </Dialog>
      )}
      {open === 'rotate' && (
        <RotateDialog
          id={id}
          onClose={close}
          onRotated={(fresh) => {
            close()
            setSecret(fresh)
            onRenew()
          }}
        />
      )}
      {open === 'remove' && (
        <Confirm
          title={say('removeTitle')}
          action={say('remove')}
          onClose={close}
          onConfirm={() =>
            void action.run(async () => {
              await removeEndpoint(id)
              toast(say('removed'))
              go('endpoints')
            })
          }
        >
          <p>{say('removeHint')}</p>
        </Confirm>
      )}
      {secret !== null && (
        <SecretDialog title={say('secret')} hint={say('secretHint')} secret={secret} onClose={() => setSecret(null)} />
      )}
    </>
  )
}

interface RotateDialogProps {
  readonly id: string
  readonly onClose: () => void
  readonly onRotated: (secret: string) => void
}

const OVERLAPS = [
  [86_400, 'overlapDay'],
  [3600, 'overlapHour'],
  [0, 'overlapNone']
] as const

function RotateDialog({ id, onClose, onRotated }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<number>(OVERLAPS[0][0])
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => onRotated((await rotateSecret(id, overlap)).secret))
  }
  return (
    <Dialog title={say('rotate')} onClose={onClose}>
      <form class="stacked" onSubmit={submit}>
        <Notice error={action.error} />
        <p>{say('rotateHint')}</p>
        <label>
          {say('overlap')}
          <select value={overlap} onChange={(event) => setOverlap(Number(event.currentTarget.value))}>
            {OVERLAPS.map(([seconds, text]) => (
              <option key={text} value={seconds}>
                {say(text)}
              </option>
            ))}
          </select>
        </label>
        <div class="buttons end">
          <button type="submit" class="primary" disabled={action.busy}>
            {say('rotate')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
