/** The logo: a mooring line between two bollards. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={(size * 20) / 26}
      viewBox="0 0 26 20"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="2.4"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <circle cx="4" cy="10" r="2.6" fill="var(--accent)" stroke="none" />
      <circle cx="22" cy="10" r="2.6" fill="var(--accent)" stroke="none" />
      <path d="M6.5 10c3-6 5-6 6.5 0s3.5 6 6.5 0" />
    </svg>
  );
}
