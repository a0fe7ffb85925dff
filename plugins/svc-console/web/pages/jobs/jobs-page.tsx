/** Jobs: all of them, those that need a look, their schedules and queues, or one job. */
import type { PageProps } from '../../app/page.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { JobList } from './job-list.tsx'
import { JobPage } from './job-page.tsx'
import { Queues } from './queues.tsx'
import { Schedules } from './schedules.tsx'

const PARTS = [
  ['all', 'Jobs'],
  ['dead', 'Dead letters'],
  ['schedules', 'Schedules'],
  ['queues', 'Queues']
] as const

export default function JobsPage({ rest: [part = 'all', id] }: PageProps) {
  if (part === 'job' && id !== undefined) return <JobPage key={id} id={id} />
  const tabs = PARTS.map(([name, title]) => ({
    title,
    segments: name === 'all' ? ['jobs'] : ['jobs', name],
    current: name === part
  }))
  return (
    <>
      <PageHead title="Jobs" />
      <Tabs label="Views of jobs" tabs={tabs} />
      {part === 'dead' && <DeadLetters />}
      {part === 'schedules' && <Schedules />}
      {part === 'queues' && <Queues />}
      {!['dead', 'schedules', 'queues'].includes(part) && <JobList />}
    </>
  )
}
