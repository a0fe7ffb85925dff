/** What is around every page: navigation, who is signed in, messages, the help of the keyboard. */
import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { ActingBanner } from '../parts/acting-banner.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { OutageNotice } from '../parts/outage-notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { signOut } from '../sign-in/sign-in-api.ts'
import { helpIsOpen } from './keyboard.ts'
import { go, href, place } from './location.ts'
import { noteUnavailable, outages, readOutages } from './outage.ts'
import type { PageEntry, PageProps } from './page.ts'
import { listedPages, PAGES } from './pages.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { SessionDialog } from './session-dialog.tsx'
import { serves, settings } from './settings.ts'
import { Toasts, toast } from './toasts.tsx'

export function Frame() {
  const [name, ...rest] = place.value.segments
  const page = PAGES.find((entry) => entry.name === name)
  useEffect(() => {
    const first = PAGES.find(({ api }) => api === null || serves(api)) ?? PAGES[0]
    if (name === undefined && first !== undefined) go(href([first.name]), { replace: true })
  }, [name])
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Navigation current={name} />
      <main id="main">
        <ActingBanner />
        {outages.value !== null && <OutageNotice outages={outages.value} />}
        {page === undefined ? <Unknown name={name} /> : <Page key={page.name} page={page} rest={rest} />}
      </main>
      <Toasts />
      <SessionDialog />
      <ProofDialog />
      {helpIsOpen.value && <Help />}
    </div>
  )
}

function Navigation({ current }: { readonly current: string | undefined }) {
  return (
    <header class="side">
      <p class="brand">{settings.application ?? 'svc'}</p>
      <nav class="pages" aria-label="Pages">
        {listedPages().map(({ name, title }) => (
          <a key={name} href={href([name])} aria-current={name === current ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div class="who">
        <span class="name" title={settings.user?.roles.join(', ')}>
          {settings.user?.identifier}
        </span>
        <button type="button" class="plain" onClick={() => void leave()}>
          Sign out
        </button>
        <button type="button" class="plain" aria-label="Keyboard shortcuts" onClick={() => (helpIsOpen.value = true)}>
          ?
        </button>
      </div>
    </header>
  )
}

async function leave(): Promise<void> {
  try {
    await signOut()
    window.location.assign(`${settings.base}/sign-in`)
  } catch {
    toast('The server did not answer: you are still signed in.')
  }
}

const NO_ANSWER = 'This page cannot be loaded: the application does not answer.'
/** The files of another version have other names. */
const UPDATED = 'This page cannot be loaded: the application was updated since this page was opened.'

function Page({ page, rest }: { readonly page: PageEntry; readonly rest: readonly string[] }) {
  const shown = useSignal<ComponentType<PageProps> | null>(null)
  const failure = useSignal<Error | null>(null)
  const load = async () => {
    try {
      shown.value = (await page.load()).default
      failure.value = null
    } catch {
      const found = await readOutages()
      if (found === null || found.length > 0) noteUnavailable()
      failure.value = new Error(found === null ? NO_ANSWER : UPDATED)
    }
  }
  useEffect(() => void load(), [])
  if (page.api !== null && !serves(page.api)) return <NotServed page={page} />
  // A module that failed once stays failed: a fresh page asks for it again.
  if (failure.value !== null) return <ErrorNotice error={failure.value} onRetry={() => window.location.reload()} />
  const Shown = shown.value
  return Shown === null ? <p class="muted loading">Loading …</p> : <Shown rest={rest} />
}

function NotServed({ page }: { readonly page: PageEntry }) {
  return (
    <>
      <PageHead title={page.title} />
      <EmptyState title={`This application does not serve what ${page.title} shows.`}>
        <p>
          Add it with <code>npx svc module:add {page.module}</code>, then start the application again. {page.condition}
        </p>
      </EmptyState>
    </>
  )
}

function Unknown({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null
  return (
    <>
      <PageHead title="Not found" />
      <EmptyState title={`The console has no page ${name}.`}>
        <a href={href([])}>To the first page</a>
      </EmptyState>
    </>
  )
}

function Help() {
  return (
    <Dialog title="Keyboard" onClose={() => (helpIsOpen.value = false)}>
      <dl class="keys">
        {listedPages().map(({ key, title }) => (
          <div key={key}>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>Search</dd>
        </div>
        <div>
          <dt>
            <kbd>↑</kbd> <kbd>↓</kbd>
          </dt>
          <dd>Between the rows of a list</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>This help</dd>
        </div>
      </dl>
    </Dialog>
  )
}
