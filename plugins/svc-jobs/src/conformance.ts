/** The published suites: `svc-jobs/conformance`. */
export { jobStoreConformance } from './records/job-store-conformance.ts'
export { scheduleStoreConformance } from './schedules/schedule-store-conformance.ts'
