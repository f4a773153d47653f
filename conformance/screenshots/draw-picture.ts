import sharp from 'sharp';

const WIDTH = 640;
const HEIGHT = 480;
const DEGREES = 360;

/** Draws the sea under a sky, as a PNG; each number gives another one, which is the same in every run. */
export function drawPicture(number: number): Promise<Buffer> {
  const hue = (number * 47) % DEGREES;
  const sun = { x: 80 + ((number * 131) % (WIDTH - 160)), y: 90 + ((number * 61) % 160) };
  const horizon = 260 + ((number * 29) % 90);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs>
      <linearGradient id="sky" x2="0" y2="1">
        <stop stop-color="hsl(${hue}, 60%, 45%)"/>
        <stop offset="1" stop-color="hsl(${(hue + 40) % DEGREES}, 70%, 80%)"/>
      </linearGradient>
      <linearGradient id="sea" x2="0" y2="1">
        <stop stop-color="hsl(${(hue + 180) % DEGREES}, 40%, 45%)"/>
        <stop offset="1" stop-color="hsl(${(hue + 200) % DEGREES}, 50%, 20%)"/>
      </linearGradient>
    </defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${sun.x}" cy="${sun.y}" r="42" fill="#fff6d8"/>
    <rect y="${horizon}" width="100%" height="100%" fill="url(#sea)"/>
    <path d="M${sun.x - 50} ${horizon + 40}h110l-20 26h-70z" fill="#33251c"/>
    <path d="M${sun.x} ${horizon + 36}v-110l46 100z" fill="#f4efe6"/>
  </svg>`;
  return sharp(Buffer.from(drawing)).png().toBuffer();
}
