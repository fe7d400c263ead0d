interface ConsequencesProps {
  title: string;
  items: readonly string[];
}

/** What a change ends, or what it keeps. */
export function Consequences({ title, items }: ConsequencesProps) {
  return (
    <div>
      <p className="strong">{title}</p>
      <ul className="dim" style={{ listStyle: "disc", paddingLeft: 20 }}>
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}
