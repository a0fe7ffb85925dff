/** One-time codes as a second factor: enrolled with an authenticator app, confirmed with a first code, switched off with one. */
import { useState } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Badge } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { type Codes, confirmCodes, disableCodes, enrollCodes, readCodes } from './account-api.ts'
import { QrCode } from './qr-code.tsx'

export function OneTimeCodes({ known }: { readonly known: Codes }) {
  const { value: status, error, reload } = useAnswer<Codes>('codes', readCodes, known)
  const [enrolment, setEnrolment] = useState<{ readonly secret: string; readonly uri: string } | null>(null)
  const [recovery, setRecovery] = useState<readonly string[] | null>(null)
  const action = useAction()
  return (
    <section class="card">
      <h2>One-time codes {status !== null && <State on={status.enabled} />}</h2>
      <ErrorNotice error={error ?? action.error} />
      {status?.enabled === false && enrolment === null && (
        <>
          <p>With one-time codes, a sign-in needs the password and a code from an authenticator app.</p>
          <button
            type="button"
            disabled={action.busy}
            onClick={() => void action.run(async () => setEnrolment(await enrollCodes()))}
          >
            Set up
          </button>
        </>
      )}
      {enrolment !== null && (
        <>
          <p>Scan this with the app, or type the secret into it. Then enter the code that it shows.</p>
          <QrCode text={enrolment.uri} label="QR code of the secret" />
          <p class="secret">
            <code>{enrolment.secret}</code> <CopyButton text={enrolment.secret} label="Copy the secret" />
          </p>
          <CodeForm
            action="Confirm"
            onCode={async (code) => {
              setRecovery(await confirmCodes(code))
              setEnrolment(null)
              reload()
            }}
          />
        </>
      )}
      {status?.enabled === true && (
        <>
          <p>{status.recoveryCodesLeft} recovery codes are left. To switch the codes off, enter one.</p>
          <CodeForm
            action="Switch off"
            onCode={async (code) => {
              await disableCodes(code)
              toast('One-time codes are off.')
              reload()
            }}
          />
        </>
      )}
      {recovery !== null && (
        <Dialog title="Recovery codes" onClose={() => setRecovery(null)}>
          <p>Each code signs in once if the app is not available. They are shown only now.</p>
          <pre>{recovery.join('\n')}</pre>
          <div class="buttons">
            <CopyButton text={recovery.join('\n')} label="Copy the recovery codes" />
            <button type="button" class="primary" onClick={() => setRecovery(null)}>
              I have stored them
            </button>
          </div>
        </Dialog>
      )}
    </section>
  )
}

function State({ on }: { readonly on: boolean }) {
  return <Badge tone={on ? 'good' : 'plain'}>{on ? 'on' : 'off'}</Badge>
}

function CodeForm({
  action: title,
  onCode
}: {
  readonly action: string
  readonly onCode: (code: string) => Promise<void>
}) {
  const [code, setCode] = useState('')
  const action = useAction()
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await action.run(() => onCode(code.trim()))) setCode('')
  }
  return (
    <form class="filters" onSubmit={(event) => void submit(event)}>
      <ErrorNotice error={action.error} />
      <label>
        Code
        <input
          value={code}
          autocomplete="one-time-code"
          required
          maxLength={64}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={action.busy}>
        {title}
      </button>
    </form>
  )
}
