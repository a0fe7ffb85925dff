/** The frame of the portal: who it is for, its sections, and the page that is open. */
import type { ComponentChildren } from 'preact'
import { Toasts } from '../app/toasts.tsx'
import { Catalogue } from './catalogue.tsx'
import { EndpointPage } from './endpoint-page.tsx'
import { EndpointsPage } from './endpoints-page.tsx'
import { KeysPage } from './keys-page.tsx'
import { page } from './page.ts'
import { href, place } from './place.ts'
import { leave, openLink, session, view } from './session.ts'
import { say, type TextName, timeOf } from './texts.ts'

export function PortalFrame() {
  const shown = session.value
  if (shown === null) return <Alone />
  const [section = 'endpoints', id] = place.value
  const sections: readonly TextName[] = shown.keys === null ? ['endpoints', 'events'] : ['endpoints', 'events', 'keys']
  return (
    <>
      <header class="portal-head">
        <div>
          {page.application !== null && <p class="muted">{page.application}</p>}
          <p class="brand">{shown.name}</p>
        </div>
        <p class="muted portal-end">
          <span>{say('openUntil', { time: timeOf(shown.expiresAt) })}</span>
          <button type="button" class="plain" onClick={() => void leave()}>
            {say('leave')}
          </button>
        </p>
      </header>
      <nav class="tabs" aria-label={say('sections')}>
        {sections.map((name) => (
          <a key={name} href={href(name)} aria-current={name === section ? 'page' : undefined}>
            {say(name)}
          </a>
        ))}
      </nav>
      <main id="main">
        <Section section={section} id={id} />
      </main>
      <Toasts />
    </>
  )
}

function Section({ section, id }: { readonly section: string; readonly id: string | undefined }) {
  if (section === 'events') return <Catalogue />
  if (section === 'keys' && session.value?.keys != null) return <KeysPage permissions={session.value.keys} />
  return id === undefined ? <EndpointsPage /> : <EndpointPage key={id} id={id} />
}

/** In the place of the page, where there is no session. */
function Alone() {
  switch (view.value) {
    case 'left':
      return <Word title={say('left')} />
    case 'closed':
      return <Word title={say('closed')}>{say('closedHint')}</Word>
    case 'offline':
      return (
        <Word title={say('offline')}>
          <button type="button" onClick={() => void openLink()}>
            {say('again')}
          </button>
        </Word>
      )
    case 'over':
      return <Word title={say('over')}>{say('overHint')}</Word>
    default:
      return (
        <main class="portal-alone">
          <p class="muted" role="status">
            {say('opening')}
          </p>
        </main>
      )
  }
}

function Word({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <main class="portal-alone">
      <h1>{title}</h1>
      <p class="muted">{children}</p>
    </main>
  )
}
