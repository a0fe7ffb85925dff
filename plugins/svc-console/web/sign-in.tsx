/** The public page: a sign-in, or the word that an account is not let in here, with a way out. */
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ServiceOutage } from '../src/pages/page-settings.ts'
import { acting } from './app/acting.ts'
import { readOutages } from './app/outage.ts'
import { settings } from './app/settings.ts'
import { ActingBanner } from './parts/acting-banner.tsx'
import { ErrorNotice } from './parts/error-notice.tsx'
import { OutageNotice } from './parts/outage-notice.tsx'
import { signOut } from './sign-in/sign-in-api.ts'
import { SignInForm } from './sign-in/sign-in-form.tsx'
import './style/base.css'
import './style/sign-in.css'

const AGAIN_MS = 3000

function SignInPage() {
  return (
    <main class="alone">
      <p class="brand">{settings.application ?? 'svc'}</p>
      <h1>Sign in to the console</h1>
      <SignInForm onSignedIn={() => window.location.assign(settings.returnTo)} />
    </main>
  )
}

function RefusedPage() {
  const [error, setError] = useState<unknown>(null)
  const leave = () =>
    signOut().then(
      () => window.location.assign(`${settings.base}/sign-in?return=${encodeURIComponent(settings.returnTo)}`),
      setError
    )
  return (
    <main class="alone">
      <p class="brand">{settings.application ?? 'svc'}</p>
      <h1>No access</h1>
      <ActingBanner />
      <p>
        You are signed in as <strong>{settings.user?.identifier}</strong>. The console is for administrators: it needs
        the role <code>ROLE_SVC_ADMIN</code>.
      </p>
      {acting.value !== null && (
        <p>
          <a href="/">To the application</a>
        </p>
      )}
      <ErrorNotice error={error} />
      <button type="button" class="primary" onClick={() => void leave()}>
        Sign out
      </button>
    </main>
  )
}

/** The proof of who asks cannot be looked up. */
function UnavailablePage() {
  const [outages, setOutages] = useState<readonly ServiceOutage[]>(settings.outages)
  useEffect(() => {
    const again = setInterval(async () => {
      const found = await readOutages()
      if (found?.length === 0) window.location.reload()
      else setOutages(found ?? [])
    }, AGAIN_MS)
    return () => clearInterval(again)
  }, [])
  return (
    <main class="alone">
      <p class="brand">{settings.application ?? 'svc'}</p>
      <h1>The console cannot be shown now</h1>
      <OutageNotice outages={outages} />
    </main>
  )
}

const VIEWS = { console: SignInPage, 'sign-in': SignInPage, refused: RefusedPage, unavailable: UnavailablePage }

const View = VIEWS[settings.view]
const app = document.getElementById('app')
if (app !== null) render(<View />, app)
