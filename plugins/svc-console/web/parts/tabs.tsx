/** The parts of one thing, each with an address. */
import { href } from '../app/location.ts'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly title: string; readonly segments: readonly string[]; readonly current: boolean }[]
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ title, segments, current }) => (
        <a key={title} href={href(segments)} aria-current={current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
