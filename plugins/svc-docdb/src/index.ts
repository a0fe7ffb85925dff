/** svc-docdb */
export {}
