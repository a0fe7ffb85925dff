/**
 * Asks the user to prove once more who they are, before a change that a session alone does not allow. What waits is sent
 * again with the proof, or not at all.
 */
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { useAction } from '../parts/action.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { answerOfPasskey, canUsePasskeys } from '../sign-in/sign-in-api.ts'
import { ApiError, call, SECURITY_API } from './api.ts'
import { serves } from './settings.ts'

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  readonly factors: readonly string[]
}

const waiting = signal<readonly Waiting[]>([])

/** @param factors of which one must be shown; empty: the password does, too */
export function askForProof(factors: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.value = [...waiting.value, { resolve, reject, factors }]
  })
}

function end(settle: (each: Waiting) => void): void {
  const taken = waiting.value
  waiting.value = []
  for (const each of taken) settle(each)
}

const left = () =>
  new ApiError(0, { code: 'PROOF_LEFT', message: 'you did not confirm who you are: nothing was changed' })

export function ProofDialog() {
  const asked = waiting.value
  return asked.length === 0 ? null : <ProofForm needsFactor={asked.some(({ factors }) => factors.length > 0)} />
}

function ProofForm({ needsFactor }: { readonly needsFactor: boolean }) {
  const [byCode, setByCode] = useState(needsFactor)
  const [proof, setProof] = useState('')
  const action = useAction()
  const written = {
    value: proof,
    onInput: (event: { currentTarget: HTMLInputElement }) => setProof(event.currentTarget.value)
  }
  const confirm = (work: () => Promise<unknown>) =>
    void action.run(async () => {
      await work()
      end(({ resolve }) => resolve())
    })
  const submit = (event: Event) => {
    event.preventDefault()
    confirm(() =>
      byCode
        ? call('POST', `${SECURITY_API}/auth/confirm/totp`, { code: proof.trim() })
        : call('POST', `${SECURITY_API}/auth/confirm`, { password: proof })
    )
  }
  return (
    <Dialog title="Confirm who you are" onClose={() => end(({ reject }) => reject(left()))}>
      <p>
        {needsFactor
          ? 'This needs a second factor.'
          : 'This change needs a recent sign-in. You are not asked again for some minutes.'}
      </p>
      <form class="stacked" method="post" onSubmit={submit}>
        <ErrorNotice error={action.error} />
        {byCode ? (
          <label key="code">
            One-time code
            <input autocomplete="one-time-code" required maxLength={64} {...written} />
          </label>
        ) : (
          <label key="password">
            Your password
            <input type="password" autocomplete="current-password" required {...written} />
          </label>
        )}
        <div class="buttons end">
          {serves('codes') && !needsFactor && (
            <button
              type="button"
              class="plain"
              onClick={() => {
                setByCode(!byCode)
                setProof('')
              }}
            >
              {byCode ? 'Use the password' : 'Use a one-time code'}
            </button>
          )}
          {serves('passkeys') && canUsePasskeys() && (
            <button
              type="button"
              class="plain"
              disabled={action.busy}
              onClick={() =>
                confirm(async () =>
                  call('POST', `${SECURITY_API}/auth/confirm/passkey`, { response: await answerOfPasskey() })
                )
              }
            >
              Use a passkey
            </button>
          )}
          <button type="submit" class="primary" disabled={action.busy}>
            Confirm
          </button>
        </div>
      </form>
    </Dialog>
  )
}
