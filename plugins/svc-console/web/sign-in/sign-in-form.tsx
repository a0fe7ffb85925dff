/** Name and password, then a one-time code where one is due; or a passkey alone. */
import { useState } from 'preact/hooks'
import { serves } from '../app/settings.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { Hinted } from '../parts/hinted.tsx'
import { canUsePasskeys, signInWithCode, signInWithPasskey, signInWithPassword } from './sign-in-api.ts'

interface SignInFormProps {
  /** Filled in. */
  readonly username?: string
  readonly onSignedIn: (identifier: string) => void
}

export function SignInForm({ username: known = '', onSignedIn }: SignInFormProps) {
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [codeDue, setCodeDue] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  const attempt = async (step: () => Promise<string | null>) => {
    setBusy(true)
    setError(null)
    try {
      const identifier = await step()
      if (identifier === null) setCodeDue(true)
      else onSignedIn(identifier)
    } catch (failure) {
      // Closing the browser's own dialog is no failure.
      if (!(failure instanceof DOMException && failure.name === 'NotAllowedError')) setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void attempt(() => (codeDue ? signInWithCode(code.trim()) : signInWithPassword(username, password)))
  }

  if (!serves('passwords')) {
    return <p class="notice warn">This application keeps no sessions: a sign-in needs accounts of svc-security.</p>
  }
  return (
    <form class="sign-in" method="post" onSubmit={submit}>
      <ErrorNotice error={error} />
      {codeDue ? (
        <Hinted label="One-time code" hint={<>Six digits of your authenticator app, or a recovery code.</>}>
          <input
            key="code"
            name="code"
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
            autocomplete="one-time-code"
            inputMode="text"
            required
            maxLength={64}
            ref={(input) => input?.focus()}
          />
        </Hinted>
      ) : (
        <>
          <label>
            Name
            <input
              name="username"
              value={username}
              onInput={(event) => setUsername(event.currentTarget.value)}
              autocomplete="username"
              autocapitalize="none"
              required
              maxLength={256}
            />
          </label>
          <label>
            Password
            <input
              name="password"
              type="password"
              value={password}
              onInput={(event) => setPassword(event.currentTarget.value)}
              autocomplete="current-password"
              required
            />
          </label>
        </>
      )}
      <button type="submit" class="primary" disabled={busy}>
        {codeDue ? 'Confirm' : 'Sign in'}
      </button>
      {codeDue && (
        <button type="button" class="plain" onClick={() => setCodeDue(false)}>
          Back
        </button>
      )}
      {!codeDue && serves('passkeys') && canUsePasskeys() && (
        <button type="button" disabled={busy} onClick={() => void attempt(signInWithPasskey)}>
          Sign in with a passkey
        </button>
      )}
    </form>
  )
}
