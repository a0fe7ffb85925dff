/** The commands of `svc jobs` and their options, one line of help each. */
import { type Command, Option } from 'commander'
import { child, command, withAppOptions, withOutputOptions } from '../options.ts'

const LANE = ['--lane <lane>', 'a lane of jobs in place of a schedule'] as const

export function addJobs(program: Command): void {
  const jobs = withOutputOptions(
    child(program, 'jobs', 'list, run and stop jobs and schedules in the database of the application')
  ).helpCommand(false)
  const jobCommand = (usage: string, description: string, name: keyof typeof import('./jobs.ts')): Command =>
    withAppOptions(child(jobs, usage, description)).action(command(() => import('./jobs.ts'), name))
  const listing = (list: Command) => list.option('--system', 'those of maintenance').option('--json', 'print JSON')
  listing(jobCommand('list', 'list the newest jobs', 'listJobs'))
    .option('--state <state>', 'one state only, such as waiting or failed')
    .option('--name <name>', 'jobs of one name only')
    .option('--limit <number>', 'how many to list, at most 1000', '50')
  jobCommand('show <id>', 'show a job: its state, attempts, reason, times, cause and masked body', 'showJob').option(
    '--json',
    'print JSON'
  )
  jobCommand('run <name>', 'add the job of a schedule, or a job of this name, for a running instance', 'runJob')
    .option('--body <json>', 'the body of the job; with it, <name> is that of a job')
    .option('--json', 'print JSON')
  jobCommand('retry [id]', 'run a job again that has failed, is parked or cancelled, or several', 'retryJobs')
    .addOption(new Option('--state <state>', 'all of a state that match').choices(['failed', 'parked']))
    .option('--name <name>', 'with --state: jobs of one name only')
    .option('--reason <text>', 'with --state: jobs with this in their reason only')
  jobCommand('cancel <id>', 'cancel a job that has not ended', 'cancelJob')
  listing(jobCommand('schedules', 'list the schedules with their next slots', 'listSchedules'))
  listing(jobCommand('lanes', 'list the lanes with what waits in them', 'listLanes'))
  jobCommand('pause [schedule]', 'pause a schedule, so that its slots get no job, or a lane', 'pauseJobs').option(
    ...LANE
  )
  jobCommand('resume [schedule]', 'resume a schedule or a lane', 'resumeJobs').option(...LANE)
}
