/** The codes of svc-files that are no error class: problems of the boot, lines of the log. */
export interface ProblemCodes {
  /** boot: nothing says to whom files belong. Fix: set `scope` to a row scope of svc-orm, or to `false`, or pass `parts.scope`. */
  SVC_FILES_SCOPE: true
  /** boot: the records of files cannot be stored. Fix: register the driver before svc-files, or set `store: 'auto'`. */
  SVC_FILES_NO_STORE: true
  /** boot: two places are configured for the content. Fix: keep one of `disk`, `s3` and `parts.content`. */
  SVC_FILES_CONTENT: true
  /** log: content that no file needs could not be removed. Fix: none needed; the next purge tries again. */
  SVC_FILES_PURGE: true
}
