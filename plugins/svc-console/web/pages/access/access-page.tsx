/** Who gets in where, and why: for one request, for every role, by the zones, and what the boot warned of. */
import type { PageProps } from '../../app/page.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { AccessMatrix } from './access-matrix.tsx'
import { Explain } from './explain.tsx'
import { Lints } from './lints.tsx'
import { Zones } from './zones.tsx'

const PARTS = [
  ['explain', 'Explain'],
  ['matrix', 'Roles and routes'],
  ['zones', 'Zones'],
  ['warnings', 'Warnings']
] as const

export default function AccessPage({ rest: [part = 'explain'] }: PageProps) {
  const tabs = PARTS.map(([name, title]) => ({
    title,
    segments: name === 'explain' ? ['access'] : ['access', name],
    current: name === part
  }))
  return (
    <>
      <PageHead title="Access" />
      <Tabs label="Views of access" tabs={tabs} />
      {part === 'matrix' && <AccessMatrix />}
      {part === 'zones' && <Zones />}
      {part === 'warnings' && <Lints />}
      {!['matrix', 'zones', 'warnings'].includes(part) && <Explain />}
    </>
  )
}
